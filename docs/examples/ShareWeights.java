import java.util.Arrays;
import java.util.Random;
import org.robber.Communicator;
import org.robber.Op;
import org.robber.Operation;
import org.robber.Robber;
import org.robber.RobberException;

/**
 * Trains a linear model on all nodes: rank 0 shares the next batch while all compute, each node computes the gradient of its rows, and
 * the sum of all gradients moves the weights. If a node is lost, the others go on with the step that failed.
 *
 * <pre>
 *   mpirun -np 4 java -Ddie=2 -cp robber-cli/target/robber-cli.jar docs/examples/ShareWeights.java
 * </pre>
 */
public final class ShareWeights {
    private static final int WEIGHTS = 64;
    private static final int ROWS = 1200;
    private static final int STEPS = 20;
    private static final double RATE = 0.3 / ROWS;

    private ShareWeights() {}

    public static void main(String[] args) {
        try (Robber robber = Robber.fromEnvironment()) {
            train(robber.world());
        }
    }

    private static void train(Communicator world) {
        Communicator nodes = world;
        double[] weights = new double[WEIGHTS];
        boolean afterLoss = false;
        for (int step = 0; step < STEPS; ) {
            try {
                if (afterLoss) {
                    // Some nodes may have ended the step that others could not: all go on from the earliest.
                    int[] earliest = {step};
                    nodes.allReduce(earliest, Op.MIN);
                    if (earliest[0] < step) {
                        step = earliest[0];
                        weights = alone(step);
                    }
                    afterLoss = false;
                }
                weights = step(nodes, step, weights, world.rank());
                step++;
            } catch (RobberException e) {
                if (e.reason() != RobberException.Reason.NETWORK) {
                    throw e;
                }
                nodes = nodes.shrink();
                afterLoss = true;
            }
        }
        verify(nodes, weights);
    }

    /** The weights after one step. */
    private static double[] step(Communicator nodes, int step, double[] weights, int worldRank) {
        double[] batch = nodes.rank() == 0 ? batch(step) : new double[ROWS * (WEIGHTS + 1)];
        Operation<Void> sharing = nodes.iBcast(batch, 0);
        if (step == STEPS / 2 && worldRank == Integer.getInteger("die", -1)) {
            Runtime.getRuntime().halt(0);
        }
        sharing.await();
        int share = ROWS / nodes.size();
        int first = share * nodes.rank();
        int end = nodes.rank() == nodes.size() - 1 ? ROWS : first + share;
        double[] gradient = gradient(batch, weights, first, end);
        nodes.allReduce(gradient, Op.SUM);
        return moved(weights, gradient);
    }

    /** Rows of inputs, each followed by the output of a model with the weights 0, 1, 2, ... */
    private static double[] batch(int step) {
        Random random = new Random(step);
        double[] batch = new double[ROWS * (WEIGHTS + 1)];
        for (int row = 0; row < ROWS; row++) {
            double output = 0;
            for (int i = 0; i < WEIGHTS; i++) {
                double input = random.nextGaussian();
                batch[row * (WEIGHTS + 1) + i] = input;
                output += input * i;
            }
            batch[row * (WEIGHTS + 1) + WEIGHTS] = output;
        }
        return batch;
    }

    private static double[] gradient(double[] batch, double[] weights, int firstRow, int endRow) {
        double[] gradient = new double[WEIGHTS];
        for (int row = firstRow; row < endRow; row++) {
            int at = row * (WEIGHTS + 1);
            double error = -batch[at + WEIGHTS];
            for (int i = 0; i < WEIGHTS; i++) {
                error += weights[i] * batch[at + i];
            }
            for (int i = 0; i < WEIGHTS; i++) {
                gradient[i] += error * batch[at + i];
            }
        }
        return gradient;
    }

    private static double[] moved(double[] weights, double[] gradient) {
        double[] moved = weights.clone();
        Arrays.setAll(moved, i -> weights[i] - RATE * gradient[i]);
        return moved;
    }

    /** The weights that one process has after so many steps. */
    private static double[] alone(int steps) {
        double[] weights = new double[WEIGHTS];
        for (int step = 0; step < steps; step++) {
            weights = moved(weights, gradient(batch(step), weights, 0, ROWS));
        }
        return weights;
    }

    private static void verify(Communicator nodes, double[] weights) {
        double[] alone = alone(STEPS);
        double error = 0;
        for (int i = 0; i < WEIGHTS; i++) {
            if (Math.abs(weights[i] - alone[i]) > 1e-6) {
                throw new AssertionError("weight " + i + " is not that of one process");
            }
            error = Math.max(error, Math.abs(weights[i] - i));
        }
        if (nodes.rank() == 0) {
            System.out.printf("%d nodes have the weights of one process, %.3f from the model's%n", nodes.size(), error);
        }
    }
}
