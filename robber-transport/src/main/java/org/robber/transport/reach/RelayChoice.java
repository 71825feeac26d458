package org.robber.transport.reach;

import java.util.BitSet;
import java.util.List;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.topology.Topology;
import org.robber.transport.control.ControlMessage.Member;

/** Which nodes may pass on the bytes of others. Immutable. */
public final class RelayChoice {
    /** In place of a name: there are no relays. */
    public static final String NONE = "none";

    private final boolean all;
    private final BitSet ranks;

    private RelayChoice(boolean all, BitSet ranks) {
        this.all = all;
        this.ranks = ranks;
    }

    /**
     * The nodes with these names.
     *
     * @param names ranks, nodes such as {@code A-0}, hosts or clusters; empty: all nodes
     * @param nodes of the job, by rank
     * @throws RobberException with {@code USAGE} if a name is none of these, nor {@link #NONE}
     */
    public static RelayChoice of(List<String> names, List<Member> nodes) {
        BitSet ranks = new BitSet();
        Topology topology = Topology.of(nodes.stream().map(Member::cluster).toList());
        for (String name : names) {
            boolean known = name.equals(NONE);
            for (int rank = 0; rank < nodes.size(); rank++) {
                Member node = nodes.get(rank);
                if (name.equals(Integer.toString(rank))
                        || name.equals(topology.nodeName(rank))
                        || name.equals(node.host())
                        || name.equals(node.cluster())) {
                    ranks.set(rank);
                    known = true;
                }
            }
            if (!known) {
                throw new RobberException(
                        Reason.USAGE,
                        List.of(),
                        "connect",
                        "the relay '" + name + "' is no node of the job: name a rank below " + nodes.size()
                                + ", a node such as " + topology.nodeName(0) + ", a host such as "
                                + nodes.get(0).host() + ", a cluster, or '" + NONE + "'");
            }
        }
        return new RelayChoice(names.isEmpty(), ranks);
    }

    /** Whether this node may be a relay. */
    boolean allows(int rank) {
        return all || ranks.get(rank);
    }
}
