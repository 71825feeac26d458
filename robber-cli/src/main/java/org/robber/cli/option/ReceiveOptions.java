package org.robber.cli.option;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of nodes that receive data. */
public final class ReceiveOptions {

    @Mixin
    private MemoryOption memory = new MemoryOption();

    @Option(
            names = "--restart",
            fallbackValue = "true",
            arity = "0",
            description = "Discard partial copies of an interrupted run and start over.")
    private boolean restart;

    public long memoryBytes() {
        return memory.bytes();
    }

    /** Whether partial copies are discarded. */
    public boolean restart() {
        return restart;
    }
}
