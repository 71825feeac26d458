package org.robber.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.robber.cli.SoakHarm.Kind;

/**
 * A random job: everything about it follows from its seed.
 *
 * @param isLocal whether {@code --local} starts its nodes; else they are started one by one, which allows for clusters of
 *     unequal sizes, and of scattered ranks
 * @param clusters names of the nodes' clusters, by rank
 * @param withSlash whether the source is named with a slash at its end
 * @param options of the command
 */
record SoakJob(
        long seed,
        boolean isLocal,
        List<String> clusters,
        SoakSource source,
        boolean withSlash,
        List<String> options,
        SoakHarm harm) {

    private static final int MOST_NODES = 24;
    private static final int MOST_CLUSTERS = 5;
    private static final int MOST_BYTES_LOG2 = 26;
    private static final int SMALLEST_HARMED_LOG2 = 18;
    private static final int SMALLEST_PIECE_LOG2 = 12;
    private static final int LARGEST_PIECE_LOG2 = 22;
    private static final int MOST_PIECES = 4096;
    static final int MOST_FILES = 40;

    /** Of the harmed jobs, one in six is cut, as many spoilt in each way; the others suffer something else. */
    private static final int OTHERS = 5;

    private static final int SMALLEST_CUT_LOG2 = 22;
    private static final int MOST_CUT_LOG2 = 25;
    private static final int SMALLEST_CUT_PIECE_LOG2 = 15;
    private static final int LARGEST_CUT_PIECE_LOG2 = 20;
    private static final int MOST_CUT_CLUSTERS = 3;
    private static final int MOST_CUT_NODES_PER_CLUSTER = 3;

    /** If it names a harm, all jobs suffer that. */
    private static final String HARM = "robber.soak.harm";

    static SoakJob of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SoakJob job = of(seed, random);
        String wanted = System.getProperty(HARM, "").toUpperCase(Locale.ROOT);
        // drawn in the end: what jobs were before there was this choice, those of old seeds are still
        int choice = job.harm().kind() == Kind.NONE ? OTHERS : random.nextInt(OTHERS + 1);
        if (wanted.equals(Kind.CUT.name()) || (wanted.isEmpty() && choice == 0 && SoakNet.isPossible())) {
            return cut(seed, random);
        }
        if (wanted.equals(Kind.CORRUPT.name()) || (wanted.isEmpty() && choice == 1)) {
            return spoilt(seed, random, true);
        }
        if (wanted.equals(Kind.FLIP.name()) || (wanted.isEmpty() && choice == 2)) {
            return spoilt(seed, random, false);
        }
        return job;
    }

    /** In a network that is slow enough to be cut meanwhile. */
    private static SoakJob cut(long seed, SplittableRandom random) {
        List<String> clusters = new ArrayList<>();
        int count = 2 + random.nextInt(MOST_CUT_CLUSTERS - 1);
        for (int cluster = 0; cluster < count; cluster++) {
            int nodes = 1 + random.nextInt(MOST_CUT_NODES_PER_CLUSTER);
            clusters.addAll(Collections.nCopies(nodes, name(cluster)));
        }
        long bytes = upTo(random, SMALLEST_CUT_LOG2, MOST_CUT_LOG2);
        SoakSource source = new SoakSource(random.nextLong(), random.nextBoolean(), bytes, MOST_FILES);
        long pieceBytes = upTo(random, SMALLEST_CUT_PIECE_LOG2, LARGEST_CUT_PIECE_LOG2);
        List<String> options = List.of("--piece-size=" + pieceBytes, "--progress=json");
        return new SoakJob(seed, false, clusters, source, false, options, SoakHarm.cut(random, clusters));
    }

    /** With something wrong on its disks, after all were killed or while they run. */
    private static SoakJob spoilt(long seed, SplittableRandom random, boolean killed) {
        boolean local = random.nextBoolean();
        List<String> clusters = new ArrayList<>(local ? equalClusters(random) : scatteredClusters(random));
        if (clusters.size() == 1) {
            clusters.add("B");
        }
        long bytes = upTo(random, SMALLEST_HARMED_LOG2, MOST_BYTES_LOG2);
        SoakSource source = new SoakSource(random.nextLong(), random.nextBoolean(), bytes, MOST_FILES);
        boolean slash = source.isTree() && random.nextInt(3) == 0;
        SoakHarm harm = killed ? SoakHarm.corruption(random, clusters.size()) : SoakHarm.flips(random, clusters.size());
        return new SoakJob(seed, local, clusters, source, slash, options(random, bytes, harm), harm);
    }

    private static SoakJob of(long seed, SplittableRandom random) {
        boolean local = random.nextBoolean();
        List<String> clusters = local ? equalClusters(random) : scatteredClusters(random);
        boolean harmed = clusters.size() > 1 && (random.nextInt(3) == 0 || Boolean.getBoolean("robber.soak.harmed"));
        SoakHarm harm = harmed ? SoakHarm.of(random, clusters.size()) : SoakHarm.NONE;
        boolean few = harm.kind() == Kind.STOP && clusters.size() > SoakHarm.MOST_NODES_TO_STOP;
        if (few) {
            // on a machine too busy for a word from each node in time, more would be lost than the victim
            clusters = clusters.subList(0, SoakHarm.MOST_NODES_TO_STOP);
        }
        long bytes = harm.kind() == Kind.NONE ? anyBytes(random) : upTo(random, SMALLEST_HARMED_LOG2, MOST_BYTES_LOG2);
        SoakSource source = new SoakSource(random.nextLong(), random.nextBoolean(), bytes, MOST_FILES);
        boolean slash = source.isTree() && random.nextInt(3) == 0;
        boolean launched = local && !few && harm.kind() != Kind.FILL;
        return new SoakJob(seed, launched, clusters, source, slash, options(random, bytes, harm), harm);
    }

    private static List<String> equalClusters(SplittableRandom random) {
        int count = 1 + random.nextInt(MOST_CLUSTERS);
        int size = 1 + random.nextInt(MOST_NODES / count);
        List<String> clusters = new ArrayList<>();
        for (int rank = 0; rank < count * size; rank++) {
            clusters.add(name(rank / size));
        }
        return clusters;
    }

    private static List<String> scatteredClusters(SplittableRandom random) {
        int nodes = 1 + random.nextInt(MOST_NODES);
        int count = 1 + random.nextInt(MOST_CLUSTERS);
        List<String> clusters = new ArrayList<>();
        for (int rank = 0; rank < nodes; rank++) {
            // small numbers are more likely: clusters of very unequal sizes
            clusters.add(name(random.nextInt(1 + random.nextInt(count))));
        }
        return clusters;
    }

    private static String name(int cluster) {
        return String.valueOf((char) ('A' + cluster));
    }

    private static long anyBytes(SplittableRandom random) {
        return random.nextInt(10) == 0 ? 0 : upTo(random, 0, MOST_BYTES_LOG2);
    }

    /** Every power of two is as likely as any other. */
    private static long upTo(SplittableRandom random, int smallestLog2, int largestLog2) {
        return (long) Math.pow(2, random.nextDouble(smallestLog2, largestLog2));
    }

    private static List<String> options(SplittableRandom random, long bytes, SoakHarm harm) {
        List<String> options = new ArrayList<>();
        if (random.nextInt(4) != 0) {
            long pieceBytes = upTo(random, SMALLEST_PIECE_LOG2, LARGEST_PIECE_LOG2);
            options.add("--piece-size=" + Math.max(pieceBytes, bytes / MOST_PIECES));
        }
        if (random.nextInt(3) == 0) {
            options.add("--digest=sha256");
        }
        if (random.nextBoolean()) {
            options.add("--request-window=" + (1 + random.nextInt(12)));
        }
        if (random.nextBoolean()) {
            options.add("--memory=" + (4 + random.nextInt(28)) + "M");
        }
        if (random.nextInt(4) == 0) {
            options.add("-v");
        }
        boolean plain = random.nextBoolean();
        // faults at a moment of the job wait for its lines of JSON
        options.add(plain && harm.kind() == Kind.NONE ? "--progress=plain" : "--progress=json");
        return options;
    }

    int nodes() {
        return clusters.size();
    }

    /** For {@code --local}. */
    String shape() {
        int count = (int) clusters.stream().distinct().count();
        return count + "x" + nodes() / count;
    }

    /** The folder in which a node of a {@code --local} job puts its copy. */
    String folderOf(int rank) {
        String cluster = clusters.get(rank);
        return cluster + "-" + (rank - clusters.indexOf(cluster));
    }

    @Override
    public String toString() {
        return "to repeat: -Drobber.seed=" + seed + ": "
                + (isLocal ? shape() : nodes() + " nodes " + String.join("", clusters)) + ", "
                + source.bytes() + " bytes as a " + source.name() + (withSlash ? "/" : "") + " "
                + String.join(" ", options)
                + (harm.kind() == Kind.NONE ? "" : ", " + harm);
    }
}
