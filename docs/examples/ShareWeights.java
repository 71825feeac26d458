import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.robber.ChannelOptions;
import org.robber.Communicator;
import org.robber.MulticastChannel;
import org.robber.Robber;

/**
 * An MPI-like job: in each round rank 0 shares the weights of a model, every node computes a part of a sum over them, and
 * rank 0 collects the parts and takes a step.
 *
 * <pre>
 *   mpirun -np 4 java -cp robber-cli/target/robber-cli.jar docs/examples/ShareWeights.java
 * </pre>
 */
public final class ShareWeights {
    private static final int WEIGHTS = 1 << 20;
    private static final int ROUNDS = 5;

    private ShareWeights() {}

    public static void main(String[] args) {
        try (Robber robber = Robber.fromEnvironment()) {
            run(robber.world());
        }
    }

    private static void run(Communicator world) {
        ByteBuffer weights = ByteBuffer.allocateDirect(WEIGHTS * Float.BYTES).order(ByteOrder.nativeOrder());
        Random random = new Random(42);
        for (int i = 0; world.rank() == 0 && i < WEIGHTS; i++) {
            weights.putFloat(i * Float.BYTES, random.nextFloat());
        }
        try (MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults())) {
            for (int round = 0; round < ROUNDS; round++) {
                channel.multicast(weights);
                double part = 0;
                for (int i = world.rank(); i < WEIGHTS; i += world.size()) {
                    part += weights.getFloat(i * Float.BYTES);
                }
                double[] parts = new double[world.size()];
                world.gather(new double[] {part}, parts, 0);
                // Rank 0 changes what it shared: only after everyone has it.
                channel.flush();
                if (world.rank() == 0) {
                    step(weights, parts, round);
                }
            }
        }
        world.barrier();
    }

    private static void step(ByteBuffer weights, double[] parts, int round) {
        double sum = Arrays.stream(parts).sum();
        double mean = sum / WEIGHTS;
        System.out.printf("round %d: %d nodes agree that the mean weight is %.6f%n", round, parts.length, mean);
        for (int i = 0; i < WEIGHTS; i++) {
            weights.putFloat(i * Float.BYTES, (float) (weights.getFloat(i * Float.BYTES) - mean / 2));
        }
    }
}
