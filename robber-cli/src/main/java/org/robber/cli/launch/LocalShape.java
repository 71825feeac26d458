package org.robber.cli.launch;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * How many nodes to start on this machine.
 *
 * @param clusters 1 to 26: they are named by letters
 * @param nodesPerCluster at least 1
 */
public record LocalShape(int clusters, int nodesPerCluster) {

    private static final Pattern SHAPE = Pattern.compile("(\\d{1,4})[xX](\\d{1,4})");
    private static final int MOST_CLUSTERS = 26;
    private static final int MOST_NODES = 256;

    /** How many nodes that is. */
    public int nodes() {
        return clusters * nodesPerCluster;
    }

    /** The name of the cluster that a rank belongs to: ranks are dealt cluster by cluster. */
    public String clusterOf(int rank) {
        return String.valueOf((char) ('A' + rank / nodesPerCluster));
    }

    /** The name of a node: {@code B-3} is the fourth of the second cluster. */
    public String nodeName(int rank) {
        return clusterOf(rank) + "-" + rank % nodesPerCluster;
    }

    /** Reads {@code 2x4}. */
    public static final class Converter implements ITypeConverter<LocalShape> {
        @Override
        public LocalShape convert(String text) {
            Matcher matcher = SHAPE.matcher(text.strip());
            if (!matcher.matches()) {
                throw new TypeConversionException("'" + text + "' is not CxN, clusters times nodes: use 2x4");
            }
            LocalShape shape = new LocalShape(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
            if (shape.clusters < 1 || shape.nodesPerCluster < 1) {
                throw new TypeConversionException("'" + text + "' has no nodes: use 2x4");
            }
            if (shape.clusters > MOST_CLUSTERS || shape.nodes() > MOST_NODES) {
                throw new TypeConversionException("'" + text + "' is more than one machine can take: at most "
                        + MOST_CLUSTERS + " clusters and " + MOST_NODES + " nodes");
            }
            return shape;
        }
    }
}
