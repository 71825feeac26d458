import java.util.Arrays;
import org.robber.Communicator;
import org.robber.Op;
import org.robber.Robber;
import org.robber.RobberException;

/**
 * Solves the heat equation on a rod by Jacobi's method: each node has a part of the rod, learns the ends of its neighbours' parts in each step, and stops with
 * all others when nothing changes much any more. If a node is lost, the others go on from the last state that all have kept.
 *
 * <pre>
 *   mpirun -np 4 java -Ddie=3 -cp robber-cli/target/robber-cli.jar docs/examples/HeatSolver.java
 * </pre>
 */
public final class HeatSolver {
    /** A multiple of all numbers up to 8. */
    private static final int POINTS = 840;

    private static final int STEPS_PER_CHECK = 50;
    private static final double LEFT = 1;
    private static final double RIGHT = 3;
    private static final double SMALL_CHANGE = 1e-4;

    private HeatSolver() {}

    public static void main(String[] args) {
        try (Robber robber = Robber.fromEnvironment()) {
            Communicator nodes = robber.world();
            double[] kept = new double[POINTS];
            while (true) {
                try {
                    // After a loss some have come further than others: all take the state of one of them.
                    double[] rod = kept.clone();
                    nodes.bcast(rod, 0);
                    while (!solve(nodes, rod, robber.world().rank())) {
                        kept = rod.clone();
                    }
                    verify(nodes, rod);
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

    /** Makes some steps, and brings the state to all nodes; returns whether the last step changed little. */
    private static boolean solve(Communicator nodes, double[] rod, int worldRank) {
        int size = nodes.size();
        if (POINTS % size != 0) {
            throw new IllegalArgumentException(size + " nodes cannot divide " + POINTS + " points");
        }
        int share = POINTS / size;
        int first = share * nodes.rank();
        double[] part = Arrays.copyOfRange(rod, first, first + share);
        double[] ends = new double[2 * size];
        double change = 0;
        for (int step = 0; step < STEPS_PER_CHECK; step++) {
            nodes.allGather(new double[] {part[0], part[share - 1]}, ends);
            double left = nodes.rank() == 0 ? LEFT : ends[2 * nodes.rank() - 1];
            double right = nodes.rank() == size - 1 ? RIGHT : ends[2 * nodes.rank() + 2];
            change = step(part, left, right);
        }
        if (worldRank == Integer.getInteger("die", -1)) {
            Runtime.getRuntime().halt(0);
        }
        double[] largest = {change};
        nodes.allReduce(largest, Op.MAX);
        nodes.allGather(part, rod);
        nodes.barrier();
        return largest[0] < SMALL_CHANGE;
    }

    /** One step; returns the largest change. */
    private static double step(double[] part, double left, double right) {
        double change = 0;
        double before = left;
        for (int i = 0; i < part.length; i++) {
            double old = part[i];
            double next = i + 1 < part.length ? part[i + 1] : right;
            part[i] = (before + next) / 2;
            change = Math.max(change, Math.abs(part[i] - old));
            before = old;
        }
        return change;
    }

    /** One process takes as many steps. */
    private static void verify(Communicator nodes, double[] rod) {
        double[] alone = new double[POINTS];
        double change = 1;
        while (change >= SMALL_CHANGE) {
            for (int step = 0; step < STEPS_PER_CHECK; step++) {
                change = step(alone, LEFT, RIGHT);
            }
        }
        if (!Arrays.equals(alone, rod)) {
            throw new AssertionError("the rod is not that of one process");
        }
        if (nodes.rank() == 0) {
            System.out.printf("%d nodes solved the equation as one process does%n", nodes.size());
        }
    }
}
