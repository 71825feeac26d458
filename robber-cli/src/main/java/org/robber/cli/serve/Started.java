package org.robber.cli.serve;

import java.io.IOException;
import org.robber.cli.message.Fields;

/**
 * A node that runs.
 *
 * @param processId there
 * @param operator the address at which the daemon sees the operator's process
 */
public record Started(long processId, String operator) {

    byte[] toBytes() {
        return Fields.write(out -> {
            out.writeLong(processId);
            out.writeUTF(operator);
        });
    }

    /** From what a daemon sends. */
    public static Started of(byte[] bytes) throws IOException {
        return Frames.parse(bytes, in -> new Started(in.readLong(), in.readUTF()));
    }
}
