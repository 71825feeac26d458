package org.robber.transport.memory;

import java.util.Objects;

/** A process that is told to end before it has deleted its file. */
final class SharedFileMaker {
    private SharedFileMaker() {}

    public static void main(String[] arguments) {
        System.out.println(Objects.requireNonNull(SharedFile.create(100_000)).name());
        System.exit(0);
    }
}
