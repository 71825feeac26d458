package org.robber.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The budget of a node for pieces. */
public final class MemoryOption {

    private static final long SMALLEST_MEMORY_BYTES = 4L << 20;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            defaultValue = "512M",
            converter = MemoryText.class,
            description =
                    "Most memory for pieces in transit, per node; at least 4M, and room for four pieces. Default: ${DEFAULT-VALUE}.")
    private long memoryBytes;

    /** At least 4 MiB. */
    public long bytes() {
        return memoryBytes;
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
