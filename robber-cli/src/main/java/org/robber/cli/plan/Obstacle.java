package org.robber.cli.plan;

import java.util.List;
import org.robber.RobberException;
import org.robber.cli.node.FailureText;
import org.robber.cli.request.CopyRules;
import org.robber.cli.request.ReceivingLimits;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.copy.TreeTarget;

/** What is in the way of a copy at a node, in a place that can be written to. */
public final class Obstacle {

    private Obstacle() {}

    /**
     * Looks for one, as the job does before the first byte.
     *
     * @param destination of the node, as the user gave it
     * @param parts of the source
     * @return what it is, in a line; empty if there is none
     */
    public static String find(String destination, List<Manifest> parts, ReceivingLimits limits) {
        try {
            limits.checkSize(parts.stream().mapToLong(Manifest::totalBytes).sum());
            parts.forEach(part -> TreeTarget.check(destination, part));
            return "";
        } catch (RobberException e) {
            return FailureText.of(e);
        }
    }

    /**
     * How many bytes need no room at a node that nothing is in the way of: those of files in place, as the job counts them.
     *
     * @param destination of the node, as the user gave it
     * @param parts of the source
     */
    public static long bytesInPlace(String destination, List<Manifest> parts, CopyRules rules) {
        return rules.restart()
                ? 0
                : parts.stream()
                        .mapToLong(part -> TreeTarget.bytesInPlace(destination, part))
                        .sum();
    }
}
