import java.util.Arrays;
import java.util.Random;
import org.robber.Communicator;
import org.robber.Op;
import org.robber.Operation;
import org.robber.Parts;
import org.robber.Robber;
import org.robber.RobberException;

/**
 * Multiplies matrices that are divided among nodes in a grid. In each step one column of nodes shares its part of the left matrix with the nodes of
 * its rows, and one row of nodes its part of the right matrix with those of its columns, at the same time. In the end, the nodes of a row exchange blocks, so
 * that each has whole rows of the product. If a node is lost, the others begin again.
 *
 * <pre>
 *   mpirun -np 4 java -Ddie=1 -cp robber-cli/target/robber-cli.jar docs/examples/MatrixProduct.java
 * </pre>
 */
public final class MatrixProduct {
    /** A multiple of all numbers up to 8. */
    private static final int ORDER = 840;

    private MatrixProduct() {}

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
        // The grid is as square as it can be.
        int rows = (int) Math.sqrt(nodes.size());
        while (nodes.size() % rows != 0 || ORDER % rows != 0) {
            rows--;
        }
        int columns = nodes.size() / rows;
        if (ORDER % columns != 0) {
            throw new IllegalArgumentException(nodes.size() + " nodes cannot divide " + ORDER + " columns");
        }
        int row = nodes.rank() / columns;
        int column = nodes.rank() % columns;
        Communicator mates = nodes.split(row, column).orElseThrow();
        Communicator stack = nodes.split(column, row).orElseThrow();
        int height = ORDER / rows;
        int width = ORDER / columns;
        // A step takes a strip of columns of the left matrix, and of rows of the right one, that one node of each row and column has.
        int strip = Math.min(height, width);
        while (height % strip != 0 || width % strip != 0) {
            strip--;
        }
        int steps = ORDER / strip;
        double[] product = new double[height * width];
        for (int step = 0; step < steps; step++) {
            if (step == steps / 2 && worldRank == Integer.getInteger("die", -1)) {
                Runtime.getRuntime().halt(0);
            }
            int first = step * strip;
            int leftOwner = first / width;
            int rightOwner = first / height;
            double[] left = column == leftOwner ? block(0, row * height, first, height, strip) : new double[height * strip];
            double[] right = row == rightOwner ? block(1, first, column * width, strip, width) : new double[strip * width];
            Operation<Void> sharing = mates.iBcast(left, leftOwner);
            stack.bcast(right, rightOwner);
            sharing.await();
            multiply(left, right, product, height, strip, width);
        }
        verify(nodes, wholeRows(mates, product, height, width), row * height + firstRow(mates, column, height));
    }

    /** The first row that a node gets when the nodes of a grid row divide so many rows. */
    private static int firstRow(Communicator mates, int rank, int height) {
        return rank * height / mates.size();
    }

    /** Exchanges blocks of all rows for all columns of some rows. */
    private static double[] wholeRows(Communicator mates, double[] block, int height, int width) {
        int ownRows = firstRow(mates, mates.rank() + 1, height) - firstRow(mates, mates.rank(), height);
        long[] sent = new long[mates.size()];
        long[] received = new long[mates.size()];
        for (int mate = 0; mate < mates.size(); mate++) {
            sent[mate] = (long) (firstRow(mates, mate + 1, height) - firstRow(mates, mate, height)) * width;
            received[mate] = (long) ownRows * width;
        }
        double[] parts = new double[ownRows * width * mates.size()];
        mates.allToAll(block, Parts.of(sent), parts, Parts.of(received));
        double[] rows = new double[parts.length];
        for (int part = 0; part < ownRows * mates.size(); part++) {
            int row = part % ownRows;
            int column = part / ownRows;
            System.arraycopy(parts, part * width, rows, row * ORDER + column * width, width);
        }
        return rows;
    }

    /** An element of the left (0) or the right (1) matrix, the same on every node. */
    private static double element(int matrix, int row, int column) {
        return new Random(((long) matrix * ORDER + row) * ORDER + column).nextInt(100);
    }

    private static double[] block(int matrix, int firstRow, int firstColumn, int height, int width) {
        double[] block = new double[height * width];
        for (int i = 0; i < block.length; i++) {
            block[i] = element(matrix, firstRow + i / width, firstColumn + i % width);
        }
        return block;
    }

    /** Adds the product of two blocks. */
    private static void multiply(double[] left, double[] right, double[] sum, int height, int depth, int width) {
        for (int i = 0; i < height; i++) {
            for (int k = 0; k < depth; k++) {
                for (int j = 0; j < width; j++) {
                    sum[i * width + j] += left[i * depth + k] * right[k * width + j];
                }
            }
        }
    }

    /** Each node computes its rows alone. All numbers are whole, so the results are the same to the last bit. */
    private static void verify(Communicator nodes, double[] rows, int firstRow) {
        double[] alone = new double[rows.length];
        int height = rows.length / ORDER;
        multiply(block(0, firstRow, 0, height, ORDER), block(1, 0, 0, ORDER, ORDER), alone, height, ORDER, ORDER);
        int[] right = {Arrays.equals(rows, alone) ? 1 : 0};
        nodes.allReduce(right, Op.SUM);
        if (right[0] != nodes.size()) {
            throw new AssertionError("the rows of " + (nodes.size() - right[0]) + " nodes are wrong");
        }
        if (nodes.rank() == 0) {
            System.out.printf("%d nodes multiplied matrices as one process does%n", nodes.size());
        }
    }
}
