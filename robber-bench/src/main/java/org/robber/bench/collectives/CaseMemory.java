package org.robber.bench.collectives;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Memory outside the heap that one case uses after another, since the collector may give such memory back too late. */
final class CaseMemory {
    private final List<ByteBuffer> blocks = new ArrayList<>();
    private int taken;

    /** Takes all memory back for the next case. */
    void reuse() {
        taken = 0;
    }

    /** As many zeros, of which nobody else has any until {@link #reuse}. */
    ByteBuffer take(int bytes) {
        if (taken == blocks.size()) {
            blocks.add(ByteBuffer.allocateDirect(bytes));
        } else if (blocks.get(taken).capacity() < bytes) {
            blocks.set(taken, ByteBuffer.allocateDirect(bytes));
        }
        ByteBuffer block = blocks.get(taken++).slice(0, bytes);
        for (int i = 0; i < bytes; i++) {
            block.put(i, (byte) 0);
        }
        return block;
    }
}
