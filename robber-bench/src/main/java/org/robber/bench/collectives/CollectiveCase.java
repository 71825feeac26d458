package org.robber.bench.collectives;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * A call to be timed.
 *
 * @param call such as {@code allGather}
 * @param bytes size of the data of all nodes together; of a reduction, the size of a vector
 * @param rows how many times are taken
 */
record CollectiveCase(String call, long bytes, int rows) {
    /** So many calls of few bytes make one time: less is below what clocks can tell. */
    private static final int CALLS_OF_FEW_BYTES = 20;

    private static final int FEW_BYTES = 1 << 16;

    /** Reads cases such as {@code barrier:0:20,bcast:67108864:5}. */
    static ImmutableList<CollectiveCase> parse(String text) {
        return Splitter.on(',').splitToStream(text).map(CollectiveCase::one).collect(ImmutableList.toImmutableList());
    }

    private static CollectiveCase one(String text) {
        List<String> fields = Splitter.on(':').splitToList(text);
        checkArgument(fields.size() == 3, "%s: expected CALL:BYTES:TIMES", text);
        int rows = Integer.parseInt(fields.get(2));
        checkArgument(rows > 0, "%s: expected at least one time", text);
        return new CollectiveCase(fields.get(0), Long.parseLong(fields.get(1)), rows);
    }

    /** With fewer bytes among so many nodes, some would get none; 0 bytes are a case of their own. */
    int leastBytes(int nodes) {
        return switch (call) {
            case "allGather", "gather", "scatter" -> nodes;
            case "allToAll" -> nodes * nodes;
            case "reduceScatter" -> nodes * Double.BYTES;
            case "reduce", "allReduce", "scan", "exScan" -> Double.BYTES;
            default -> 1;
        };
    }

    int callsPerRow() {
        return bytes <= FEW_BYTES ? CALLS_OF_FEW_BYTES : 1;
    }
}
