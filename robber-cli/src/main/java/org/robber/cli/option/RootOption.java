package org.robber.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The node that has the source. */
public final class RootOption {

    @Option(
            names = "--root",
            paramLabel = "RANK",
            defaultValue = "0",
            converter = RankText.class,
            description =
                    "The node that has SRC. With -w: the host of this number in the list; it gets a copy at DEST, too."
                            + " Default: ${DEFAULT-VALUE}; with -w, that is this machine.")
    private int rank;

    public int rank() {
        return rank;
    }

    /** A number from 0 on. */
    static final class RankText implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            if (!text.matches("\\d{1,9}")) {
                throw new TypeConversionException("'" + text + "' is no rank: use a number from 0 on");
            }
            return Integer.valueOf(text);
        }
    }
}
