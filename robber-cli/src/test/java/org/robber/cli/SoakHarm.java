package org.robber.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * What happens to a random job.
 *
 * @param kind what
 * @param victims the nodes that it happens to, by rank; if the job is terminated, all
 * @param moment when
 * @param watched the node that must have come so far
 * @param share for {@link Moment#WRITTEN}, of the bytes, 0..1
 * @param delayMicros how long after the moment; of a {@link Kind#PAUSE}, how long it is
 * @param cut of a {@link Kind#CUT}, what is cut
 */
record SoakHarm(
        Kind kind, List<Integer> victims, Moment moment, int watched, double share, long delayMicros, SoakCut cut) {

    static final int MOST_NODES_TO_STOP = 8;

    private static final int MOST_PAUSE_MICROS = 1_000_000;

    static final SoakHarm NONE = new SoakHarm(Kind.NONE, List.of(), Moment.STARTED, 0, 0, 0);

    SoakHarm(Kind kind, List<Integer> victims, Moment moment, int watched, double share, long delayMicros) {
        this(kind, victims, moment, watched, share, delayMicros, SoakCut.NONE);
    }

    enum Kind {
        NONE,
        /** {@code kill -9}: nothing can be done about it. */
        KILL,
        /** The signal with which users and schedulers ask the whole job to end. */
        TERMINATE,
        /** {@code kill -STOP}: a process that is there and does nothing, for ever. */
        STOP,
        /** The same, for a moment: no reason to do without the node. */
        PAUSE,
        /** Its disk is filled up. */
        FILL,
        /** All are killed, what is on their disks is spoilt, and the same command runs again. */
        CORRUPT,
        /** Bits of what it has written flip while it runs on. */
        FLIP,
        /** The network is cut between two clusters, or at one node; in the testbed. */
        CUT
    }

    /** Whether it is to be expected that the job goes on without the victims. */
    boolean isLoss() {
        return kind == Kind.KILL || kind == Kind.STOP || kind == Kind.FILL || (kind == Kind.CUT && !victims.isEmpty());
    }

    /** Whether all must be complete in the end nevertheless. */
    boolean costsNothing() {
        return kind == Kind.NONE
                || kind == Kind.PAUSE
                || kind == Kind.CORRUPT
                || kind == Kind.FLIP
                || (kind == Kind.CUT && !isLoss());
    }

    /** Whether only the node could see its copy. */
    boolean hidesCopyOf(int rank) {
        return kind == Kind.FILL && victims.contains(rank);
    }

    /** Events in the life of a node that can be seen from outside. */
    enum Moment {
        /** Its process runs; it need not have found the others yet. */
        STARTED,
        /** It is about to write. */
        STAGED,
        /** Rank 0 has said that the transfer begins. */
        TRANSFERRING,
        /** It has written so many bytes. */
        WRITTEN,
        /** Its copy, or a part of it, is there under its final name. */
        SHOWN
    }

    /** Harm to a job of so many nodes, at least 2. */
    static SoakHarm of(SplittableRandom random, int nodes) {
        Moment moment = moment(random.nextInt(10));
        int watched = random.nextInt(nodes);
        double share = random.nextDouble();
        if (random.nextInt(6) == 0) {
            List<Integer> all = new ArrayList<>();
            for (int rank = 0; rank < nodes; rank++) {
                all.add(rank);
            }
            return new SoakHarm(Kind.TERMINATE, all, moment, watched, share, 0);
        }
        Kind kind = kind(random.nextInt(8));
        if (kind != Kind.KILL) {
            Moment active = moment == Moment.STARTED ? Moment.STAGED : moment;
            int victim = 1 + random.nextInt(Math.min(nodes, MOST_NODES_TO_STOP) - 1);
            long pauseMicros = kind == Kind.PAUSE ? random.nextInt(MOST_PAUSE_MICROS) : 0;
            return new SoakHarm(kind, List.of(victim), active, victim, share, pauseMicros);
        }
        int first = random.nextInt(4) == 0 ? 0 : random.nextInt(nodes);
        int second = random.nextInt(nodes);
        boolean two = nodes > 2 && second != first && random.nextInt(4) == 0;
        return new SoakHarm(Kind.KILL, two ? List.of(first, second) : List.of(first), moment, watched, share, 0);
    }

    /** All are killed, their disks are spoilt, and all run again. */
    static SoakHarm corruption(SplittableRandom random, int nodes) {
        List<Integer> all = IntStream.range(0, nodes).boxed().toList();
        Moment moment = random.nextInt(6) == 0 ? Moment.SHOWN : Moment.WRITTEN;
        return new SoakHarm(Kind.CORRUPT, all, moment, random.nextInt(nodes), random.nextDouble(), 0);
    }

    /** Bits flip under a node. */
    static SoakHarm flips(SplittableRandom random, int nodes) {
        int victim = random.nextInt(nodes);
        return new SoakHarm(Kind.FLIP, List.of(victim), Moment.WRITTEN, victim, random.nextDouble(), 0);
    }

    /** The network of these clusters is cut. */
    static SoakHarm cut(SplittableRandom random, List<String> clusters) {
        SoakCut cut = SoakCut.of(random, clusters);
        Moment moment = moment(random.nextInt(10));
        int watched = random.nextInt(clusters.size());
        double share = random.nextDouble();
        return new SoakHarm(Kind.CUT, cut.losses(clusters), moment, watched, share, 0, cut);
    }

    private static Kind kind(int choice) {
        return switch (choice) {
            case 0 -> Kind.STOP;
            case 1 -> Kind.PAUSE;
            case 2, 3 -> SoakDisk.isPossible() ? Kind.FILL : Kind.KILL;
            default -> Kind.KILL;
        };
    }

    private static Moment moment(int choice) {
        return switch (choice) {
            case 0 -> Moment.STARTED;
            case 1 -> Moment.STAGED;
            case 2 -> Moment.TRANSFERRING;
            case 9 -> Moment.SHOWN;
            default -> Moment.WRITTEN;
        };
    }

    @Override
    public String toString() {
        String whom = kind == Kind.TERMINATE || kind == Kind.CORRUPT ? "all" : "ranks " + victims;
        String when = moment + (moment == Moment.WRITTEN ? " " + Math.round(100 * share) + " %" : "");
        return kind + (kind == Kind.CUT ? " of " + cut + ", may lose " + whom : " of " + whom) + " when rank " + watched
                + " has " + when + (delayMicros == 0 ? "" : ", " + delayMicros + " us");
    }
}
