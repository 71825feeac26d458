import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import org.robber.Communicator;
import org.robber.Robber;
import org.robber.RobberException;

/**
 * A distributed matrix is transposed: each node has some of its rows, exchanges blocks with all others, and has as many of its columns
 * in the end. Rank 0 then collects one number of each node, and checks all of them. If a node is lost, the others transpose a smaller matrix.
 *
 * <pre>
 *   mpirun -np 4 java -Ddie=2 -cp robber-cli/target/robber-cli.jar docs/examples/Transpose.java
 * </pre>
 */
public final class Transpose {
    private static final int ROWS_OF_A_NODE = 256;

    private Transpose() {}

    /** The number in the matrix of so many columns. */
    private static int number(int row, int column, int columns) {
        return row * columns + column;
    }

    public static void main(String[] args) {
        try (Robber robber = Robber.fromEnvironment()) {
            Communicator nodes = robber.world();
            boolean die = nodes.rank() == Integer.getInteger("die", -1);
            while (true) {
                try {
                    transpose(nodes, die);
                } catch (RobberException e) {
                    if (e.reason() != RobberException.Reason.NETWORK) {
                        throw e;
                    }
                }
                // Some nodes may have ended well although others have not.
                Communicator left = nodes.shrink();
                if (left.size() == nodes.size()) {
                    return;
                }
                nodes = left;
            }
        }
    }

    private static void transpose(Communicator nodes, boolean die) {
        int size = nodes.size();
        int columns = size * ROWS_OF_A_NODE;
        int firstRow = nodes.rank() * ROWS_OF_A_NODE;

        // Block b holds what is in our rows and in the columns of node b, column by column.
        ByteBuffer out = ByteBuffer.allocateDirect(Integer.BYTES * ROWS_OF_A_NODE * columns);
        IntBuffer blocks = out.asIntBuffer();
        for (int column = 0; column < columns; column++) {
            for (int row = firstRow; row < firstRow + ROWS_OF_A_NODE; row++) {
                blocks.put(number(row, column, columns));
            }
        }
        ByteBuffer in = ByteBuffer.allocateDirect(out.capacity());
        if (die) {
            Runtime.getRuntime().halt(0);
        }
        nodes.allToAll(out, in);

        // Block b holds now what is in the rows of node b and in our columns.
        IntBuffer mine = in.asIntBuffer();
        int wrong = 0;
        for (int node = 0; node < size; node++) {
            for (int column = firstRow; column < firstRow + ROWS_OF_A_NODE; column++) {
                for (int row = node * ROWS_OF_A_NODE; row < (node + 1) * ROWS_OF_A_NODE; row++) {
                    wrong += mine.get() == number(row, column, columns) ? 0 : 1;
                }
            }
        }

        ByteBuffer part = ByteBuffer.allocate(Integer.BYTES).putInt(0, wrong);
        ByteBuffer all = ByteBuffer.allocate(Integer.BYTES * size);
        nodes.gather(part, all, 0);
        if (nodes.rank() == 0) {
            int sum = 0;
            while (all.hasRemaining()) {
                sum += all.getInt();
            }
            if (sum > 0) {
                throw new AssertionError(sum + " numbers are in the wrong place");
            }
            System.out.println("transposed " + columns + " x " + columns + " numbers on " + size + " nodes");
        }
    }
}
