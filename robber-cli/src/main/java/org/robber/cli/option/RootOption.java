package org.robber.cli.option;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The nodes that have the source. */
public final class RootOption {

    @Option(
            names = "--root",
            paramLabel = "RANK[,RANK...]",
            defaultValue = "0",
            converter = RanksText.class,
            description =
                    "The node that has SRC. With -w: the host of this number in the list; it gets a copy at DEST, too."
                            + " Several: each has a part of SRC, in which {rank}, {cluster}, {node} and {host} are replaced."
                            + " Default: ${DEFAULT-VALUE}; with -w, that is this machine.")
    private Ranks ranks = new Ranks(ImmutableList.of(0));

    /** In ascending order. */
    public ImmutableList<Integer> ranks() {
        return ranks.all;
    }

    /** As one value: a list would be one option for each element. */
    private record Ranks(ImmutableList<Integer> all) {}

    /** Numbers from 0 on. */
    static final class RanksText implements ITypeConverter<Ranks> {
        @Override
        public Ranks convert(String text) {
            List<Integer> ranks = new ArrayList<>();
            for (String rank : text.split(",", -1)) {
                if (!rank.matches("\\d{1,9}")) {
                    throw new TypeConversionException("'" + rank + "' is no rank: use a number from 0 on");
                }
                if (ranks.contains(Integer.valueOf(rank))) {
                    throw new TypeConversionException("rank " + rank + " is named twice");
                }
                ranks.add(Integer.valueOf(rank));
            }
            return new Ranks(ImmutableList.sortedCopyOf(ranks));
        }
    }
}
