import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.robber.Communicator;
import org.robber.MulticastStream;
import org.robber.Op;
import org.robber.Robber;
import org.robber.RobberException;

/**
 * Trains a linear model on all nodes. Rank 0 streams the next batches while all compute. Each node computes the gradient of its rows, and
 * the sum of all gradients moves the weights. If a node is lost, the others go on with the step that failed.
 *
 * <pre>
 *   mpirun -np 4 java -Ddie=2 -cp robber-cli/target/robber-cli.jar docs/examples/ShareWeights.java
 * </pre>
 */
public final class ShareWeights {
    private static final int WEIGHTS = 64;
    private static final int ROWS = 6000;
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
        int step = 0;
        while (true) {
            try {
                // Some nodes may have ended the step in which another was lost: all go on from the earliest.
                int[] earliest = {step};
                nodes.allReduce(earliest, Op.MIN);
                if (earliest[0] < step) {
                    step = earliest[0];
                    weights = alone(step);
                }
                try (Batches batches = new Batches(nodes, step)) {
                    for (; step < STEPS; step++) {
                        double[] batch = batches.next();
                        if (step == STEPS / 2 && world.rank() == Integer.getInteger("die", -1)) {
                            Runtime.getRuntime().halt(0);
                        }
                        weights = moved(weights, sumOfGradients(nodes, batch, weights));
                    }
                    batches.end();
                }
            } catch (RobberException e) {
                if (e.reason() != RobberException.Reason.NETWORK) {
                    throw e;
                }
            }
            // Some nodes may have ended the last step although others have not.
            Communicator left = nodes.shrink();
            if (left.size() == nodes.size()) {
                break;
            }
            nodes = left;
        }
        verify(nodes, weights);
    }

    /** The batches of all steps that are left. Rank 0 makes and writes them while all compute. */
    private static final class Batches implements AutoCloseable {
        private final MulticastStream stream;
        private final boolean isRoot;
        private final CompletableFuture<Void> writing;
        private int step;

        Batches(Communicator nodes, int firstStep) {
            stream = nodes.openStream(0);
            isRoot = nodes.rank() == 0;
            step = firstStep;
            writing = isRoot
                    ? CompletableFuture.runAsync(() -> write(firstStep))
                    : CompletableFuture.completedFuture(null);
        }

        private void write(int firstStep) {
            ByteBuffer bytes = ByteBuffer.allocate(ROWS * (WEIGHTS + 1) * Double.BYTES);
            for (int next = firstStep; next < STEPS; next++) {
                bytes.clear().asDoubleBuffer().put(batch(next));
                stream.write(bytes);
            }
            stream.close();
        }

        double[] next() {
            if (isRoot) {
                return batch(step++);
            }
            ByteBuffer bytes = ByteBuffer.allocate(ROWS * (WEIGHTS + 1) * Double.BYTES);
            while (bytes.hasRemaining()) {
                if (stream.read(bytes) < 0) {
                    throw new AssertionError("the stream ends before step " + step);
                }
            }
            step++;
            double[] batch = new double[ROWS * (WEIGHTS + 1)];
            bytes.flip().asDoubleBuffer().get(batch);
            return batch;
        }

        /** All steps are done: rank 0 waits until all have everything, and the others for the end of the stream. */
        void end() {
            if (!isRoot && stream.read(ByteBuffer.allocate(1)) >= 0) {
                throw new AssertionError("the stream goes on after the last step");
            }
            try {
                writing.join();
            } catch (CompletionException e) {
                if (e.getCause() instanceof RobberException) {
                    throw (RobberException) e.getCause();
                }
                throw e;
            }
        }

        /** Ends the stream where it was not ended well: then its writer fails, too. */
        @Override
        public void close() {
            writing.exceptionally(failure -> null).join();
            if (!isRoot) {
                stream.close();
            }
        }
    }

    private static double[] sumOfGradients(Communicator nodes, double[] batch, double[] weights) {
        int share = ROWS / nodes.size();
        int first = share * nodes.rank();
        int end = nodes.rank() == nodes.size() - 1 ? ROWS : first + share;
        double[] gradient = gradient(batch, weights, first, end);
        nodes.allReduce(gradient, Op.SUM);
        return gradient;
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
