package org.robber.cli.launch;

import java.io.IOException;
import java.io.InputStream;

/** Brings the standard input of this process to a node that it has started: see {@link ForwardedInput}. */
final class InputForwarder {
    private static final int FRAME_BYTES = 64 << 10;

    private InputForwarder() {}

    /** Forwards until the end of the input, or of the node. */
    static void start(InputStream input, NodeProcess node) {
        Thread thread = new Thread(() -> forward(input, node), "forward-input");
        thread.setDaemon(true);
        thread.start();
    }

    private static void forward(InputStream input, NodeProcess node) {
        byte[] frame = new byte[FRAME_BYTES];
        try {
            int length = input.read(frame);
            while (length >= 0 && node.tellData(frame, length)) {
                length = input.read(frame);
            }
            if (length < 0) {
                boolean unused = node.tellData(frame, 0);
            }
        } catch (IOException e) {
            node.tell(ParentLink.BROKEN + e.getMessage());
        }
    }
}
