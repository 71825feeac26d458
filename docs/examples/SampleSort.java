import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.robber.Communicator;
import org.robber.Op;
import org.robber.Parts;
import org.robber.Robber;
import org.robber.RobberException;

/**
 * Sorts numbers that are spread over the nodes: samples say where the range of each node ends, and allToAll with counts brings each number to its
 * node. If a node is lost, the others begin again with its numbers divided among them.
 *
 * <pre>
 *   mpirun -np 4 java -Ddie=2 -cp robber-cli/target/robber-cli.jar docs/examples/SampleSort.java
 * </pre>
 */
public final class SampleSort {
    private static final int NUMBERS = 1_000_000;
    private static final int SAMPLES = 32;

    private SampleSort() {}

    public static void main(String[] args) {
        try (Robber robber = Robber.fromEnvironment()) {
            Communicator nodes = robber.world();
            while (true) {
                try {
                    run(nodes, robber.world().rank());
                    return;
                } catch (RobberException e) {
                    if (e.reason() != RobberException.Reason.NETWORK) {
                        throw e;
                    }
                    nodes = nodes.shrink();
                }
            }
        }
    }

    private static void run(Communicator nodes, int worldRank) {
        int size = nodes.size();
        long[] mine = IntStream.range(0, NUMBERS)
                .filter(i -> i % size == nodes.rank())
                .mapToLong(SampleSort::number)
                .sorted()
                .toArray();
        long[] ends = rangeEnds(nodes, mine);
        if (worldRank == Integer.getInteger("die", -1)) {
            Runtime.getRuntime().halt(0);
        }
        int[] outCounts = new int[size];
        for (long number : mine) {
            int at = Arrays.binarySearch(ends, number);
            outCounts[at < 0 ? -at - 1 : at]++;
        }
        int[] inCounts = new int[size];
        nodes.allToAll(outCounts, inCounts);
        long[] sorted = new long[IntStream.of(inCounts).sum()];
        nodes.allToAll(mine, Parts.of(outCounts), sorted, Parts.of(inCounts));
        Arrays.sort(sorted);
        verify(nodes, sorted);
    }

    private static long number(int i) {
        return new Random(i).nextLong();
    }

    /** The last number of each node but the last. */
    private static long[] rangeEnds(Communicator nodes, long[] mine) {
        long[] samples = LongStream.range(0, SAMPLES)
                .map(i -> mine[(int) (i * mine.length / SAMPLES)])
                .toArray();
        long[] all = new long[SAMPLES * nodes.size()];
        nodes.allGather(samples, all);
        Arrays.sort(all);
        return IntStream.range(1, nodes.size()).mapToLong(i -> all[i * SAMPLES]).toArray();
    }

    /** One process sorts the same numbers: each node finds its own where they belong. */
    private static void verify(Communicator nodes, long[] sorted) {
        long[] before = {sorted.length};
        nodes.exScan(before, before, Op.SUM);
        int first = nodes.rank() == 0 ? 0 : (int) before[0];
        long[] alone = IntStream.range(0, NUMBERS).mapToLong(SampleSort::number).sorted().toArray();
        if (!Arrays.equals(sorted, Arrays.copyOfRange(alone, first, first + sorted.length))) {
            throw new AssertionError("the numbers of rank " + nodes.rank() + " are not sorted");
        }
        long[] total = {sorted.length};
        nodes.allReduce(total, Op.SUM);
        if (nodes.rank() == 0) {
            System.out.printf("%d nodes sorted %d numbers as one process does%n", nodes.size(), total[0]);
        }
    }
}
