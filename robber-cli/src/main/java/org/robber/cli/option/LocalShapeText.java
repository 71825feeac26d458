package org.robber.cli.option;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.robber.cli.launch.LocalShape;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How many nodes to start on this machine, such as {@code 2x4}. */
public final class LocalShapeText implements ITypeConverter<LocalShape> {

    private static final Pattern SHAPE = Pattern.compile("(\\d{1,4})[xX](\\d{1,4})");
    private static final int MOST_CLUSTERS = 26;
    private static final int MOST_NODES = 256;

    @Override
    public LocalShape convert(String text) {
        Matcher matcher = SHAPE.matcher(text.strip());
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is not CxN, clusters times nodes: use 2x4");
        }
        LocalShape shape = new LocalShape(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
        if (shape.clusters() < 1 || shape.nodesPerCluster() < 1) {
            throw new TypeConversionException("'" + text + "' has no nodes: use 2x4");
        }
        if (shape.clusters() > MOST_CLUSTERS || shape.nodes() > MOST_NODES) {
            throw new TypeConversionException("'" + text + "' is more than one machine can take: at most "
                    + MOST_CLUSTERS + " clusters and " + MOST_NODES + " nodes");
        }
        return shape;
    }
}
