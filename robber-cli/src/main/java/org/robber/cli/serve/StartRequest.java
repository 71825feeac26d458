package org.robber.cli.serve;

import java.io.IOException;
import org.robber.cli.message.Fields;

/**
 * That a node is wanted.
 *
 * @param build of the operator's program, for people: orders are understood by the same build alone
 * @param digest of the pieces: some need another compiler of Java
 */
public record StartRequest(String build, String digest) {

    /** For a frame. */
    public byte[] toBytes() {
        return Fields.write(out -> {
            out.writeUTF(build);
            out.writeUTF(digest);
        });
    }

    /** From what {@link #toBytes} makes. */
    static StartRequest of(byte[] bytes) throws IOException {
        return Frames.parse(bytes, in -> {
            String build = in.readUTF();
            if (build.chars().anyMatch(Character::isISOControl)) {
                // It becomes a line of the log.
                throw new IOException("it sent a build whose name is more than a line");
            }
            // another build may say something else, and is refused by its name
            return new StartRequest(build, in.available() > 0 ? in.readUTF() : "");
        });
    }
}
