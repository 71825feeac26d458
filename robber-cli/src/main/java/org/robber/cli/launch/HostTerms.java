package org.robber.cli.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.robber.DataAddress;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.request.ReceivingLimits;
import org.robber.cli.request.ReplicateRequest;

/**
 * What a host lets a node do that its daemon has started, whatever the order says. The process of the node gets it as arguments, which no order can change.
 *
 * @param limits for what is written
 * @param data where the node listens for data, if the host says so
 * @param stateFolder where records of complete copies are kept
 */
public record HostTerms(ReceivingLimits limits, DataAddress data, Path stateFolder) {
    /** The hidden command that runs one node for a daemon. */
    public static final String COMMAND = "served-node";

    /** The arguments behind the command. */
    public List<String> toArguments() {
        List<String> arguments = new ArrayList<>(List.of(
                Long.toString(limits.quotaBytes()),
                Long.toString(limits.keepFreeBytes()),
                data.network(),
                Integer.toString(data.firstPort()),
                Integer.toString(data.lastPort()),
                stateFolder.toString()));
        limits.folders().forEach(folder -> arguments.add(folder.toString()));
        return arguments;
    }

    /** From what {@link #toArguments} makes. */
    static HostTerms of(List<String> arguments) {
        List<Path> folders = arguments.stream().skip(6).map(Path::of).toList();
        if (folders.isEmpty()) {
            throw new IllegalArgumentException(COMMAND + " is started by 'robber-cli serve' alone");
        }
        return new HostTerms(
                new ReceivingLimits(folders, Long.parseLong(arguments.get(0)), Long.parseLong(arguments.get(1))),
                new DataAddress(
                        arguments.get(2), Integer.parseInt(arguments.get(3)), Integer.parseInt(arguments.get(4))),
                Path.of(arguments.get(5)));
    }

    /**
     * The order as this host carries it out.
     *
     * @throws RobberException with {@code USAGE} if it does not carry out such orders
     */
    NodeOrder restrict(NodeOrder order) {
        int rank = order.place().rank();
        if (rank == 0 || order.request().needs(rank)) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(rank),
                    "launch",
                    "a daemon starts no rank 0 and no node that has SRC: these would read files of this host");
        }
        if (!(order.request() instanceof ReplicateRequest copy)) {
            throw new RobberException(Reason.USAGE, List.of(rank), "launch", "daemons only receive copies");
        }
        NodeOrder restricted = order.at(order.place(), copy.withLimits(limits).withStateFolder(stateFolder));
        return data.equals(DataAddress.any()) ? restricted : restricted.listeningAt(data);
    }
}
