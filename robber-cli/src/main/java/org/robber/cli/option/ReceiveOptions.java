package org.robber.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options of nodes that receive data. */
public final class ReceiveOptions {

    private static final long SMALLEST_MEMORY_BYTES = 4L << 20;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            defaultValue = "512M",
            converter = MemoryText.class,
            description = "Most memory for pieces in transit, per node; at least 4M. Default: ${DEFAULT-VALUE}.")
    private long memoryBytes;

    @Option(
            names = "--restart",
            fallbackValue = "true",
            arity = "0",
            description = "Discard partial copies of an interrupted run and start over.")
    private boolean restart;

    public long memoryBytes() {
        return memoryBytes;
    }

    /** Whether partial copies are discarded. */
    public boolean restart() {
        return restart;
    }

    static final class MemoryText implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            long bytes = SizeText.parse(text);
            if (bytes < SMALLEST_MEMORY_BYTES) {
                throw new TypeConversionException("'" + text + "' is too little: use at least 4M");
            }
            return bytes;
        }
    }
}
