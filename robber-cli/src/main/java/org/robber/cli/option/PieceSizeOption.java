package org.robber.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The size of the pieces that data are requested and verified in. */
public final class PieceSizeOption {

    private static final long LARGEST_BYTES = 1L << 30;

    @Option(
            names = "--piece-size",
            paramLabel = "SIZE",
            converter = PieceSizeText.class,
            description =
                    "The unit in which data are requested and verified, 1 to 1G. Default: by the size of the data.")
    private int bytes;

    /** In bytes; 0 if the size of the data decides. */
    public int bytes() {
        return bytes;
    }

    static final class PieceSizeText implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            long bytes = SizeText.parse(text);
            if (bytes < 1 || bytes > LARGEST_BYTES) {
                throw new TypeConversionException("'" + text + "' is out of range: use 1 to 1G");
            }
            return (int) bytes;
        }
    }
}
