import java.util.Arrays;
import java.util.Random;
import org.robber.Communicator;
import org.robber.Op;
import org.robber.Robber;
import org.robber.RobberException;

/**
 * Clusters points by k-means: rank 0 shares the centres, every node assigns its points, and rank 0 collects the sums. If a node is lost,
 * the others divide its points among them and begin again.
 *
 * <pre>
 *   mpirun -np 4 java -Ddie=3 -cp robber-cli/target/robber-cli.jar docs/examples/KMeans.java
 * </pre>
 */
public final class KMeans {
    private static final int POINTS = 200_000;
    private static final int CENTRES = 8;
    private static final int ROUNDS = 10;

    private KMeans() {}

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
        double[] centres = new double[2 * CENTRES];
        for (int i = 0; nodes.rank() == 0 && i < centres.length; i++) {
            centres[i] = point(i);
        }
        int first = POINTS / nodes.size() * nodes.rank();
        int end = nodes.rank() == nodes.size() - 1 ? POINTS : first + POINTS / nodes.size();
        for (int round = 0; round < ROUNDS; round++) {
            nodes.bcast(centres, 0);
            double[] sums = sums(centres, first, end);
            if (round == ROUNDS / 2 && worldRank == Integer.getInteger("die", -1)) {
                Runtime.getRuntime().halt(0);
            }
            nodes.reduce(sums, sums, Op.SUM, 0);
            if (nodes.rank() == 0) {
                move(centres, sums);
            }
        }
        if (nodes.rank() == 0) {
            double[] alone = new double[2 * CENTRES];
            Arrays.setAll(alone, KMeans::point);
            for (int round = 0; round < ROUNDS; round++) {
                move(alone, sums(alone, 0, POINTS));
            }
            for (int i = 0; i < alone.length; i++) {
                if (Math.abs(alone[i] - centres[i]) > 1e-9) {
                    throw new AssertionError("centre " + i / 2 + " is not that of one process");
                }
            }
            System.out.printf("%d nodes found the %d centres that one process finds%n", nodes.size(), CENTRES);
        }
    }

    /** A coordinate of the points, the same on every node. */
    private static double point(int coordinate) {
        return new Random(coordinate).nextGaussian() + coordinate % 16;
    }

    /** The sums of both coordinates of the points nearest to each centre, and their number. */
    private static double[] sums(double[] centres, int first, int end) {
        double[] sums = new double[3 * CENTRES];
        for (int i = first; i < end; i++) {
            double x = point(2 * i);
            double y = point(2 * i + 1);
            int nearest = 0;
            double least = Double.MAX_VALUE;
            for (int centre = 0; centre < CENTRES; centre++) {
                double distance = Math.hypot(x - centres[2 * centre], y - centres[2 * centre + 1]);
                if (distance < least) {
                    least = distance;
                    nearest = centre;
                }
            }
            sums[3 * nearest] += x;
            sums[3 * nearest + 1] += y;
            sums[3 * nearest + 2]++;
        }
        return sums;
    }

    private static void move(double[] centres, double[] sums) {
        for (int centre = 0; centre < CENTRES; centre++) {
            double count = Math.max(1, sums[3 * centre + 2]);
            centres[2 * centre] = sums[3 * centre] / count;
            centres[2 * centre + 1] = sums[3 * centre + 1] / count;
        }
    }
}
