package org.robber.transport.rankzero;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.robber.core.topology.Topology;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.sockets.Hosts;

/**
 * Gives each node its cluster: the one it names, or else that of its group. Groups are named A, B, ... as they first appear by rank, leaving out names that nodes
 * gave. A subnet is a /24 in IPv4 and a /64 in IPv6, and all of this machine's loopback is one.
 */
final class ClusterNames {
    private static final int IPV4_SUBNET_BYTES = 3;
    private static final int IPV6_SUBNET_BYTES = 8;

    private ClusterNames() {}

    /**
     * The clusters of all nodes, in their order.
     *
     * @param given the cluster that each node names, or null
     * @param groups the group of each node; of no matter where it names a cluster
     */
    static List<String> of(List<@Nullable String> given, int[] groups) {
        Set<String> taken = new HashSet<>();
        for (String name : given) {
            if (name != null) {
                taken.add(name);
            }
        }
        Map<Integer, String> nameOfGroup = new HashMap<>();
        List<String> names = new ArrayList<>();
        int next = 0;
        for (int rank = 0; rank < groups.length; rank++) {
            String name = given.get(rank);
            if (name == null) {
                name = nameOfGroup.get(groups[rank]);
            }
            if (name == null) {
                do {
                    name = Topology.letters(next++);
                } while (taken.contains(name));
                nameOfGroup.put(groups[rank], name);
            }
            names.add(name);
        }
        return names;
    }

    /**
     * The cluster of a joiner that names none. On the machine of rank 0 it is the cluster of rank 0. Otherwise it is that of a member in the same subnet, or a
     * new one.
     *
     * @param machine the addresses of rank 0's machine
     */
    static String ofJoiner(InetAddress address, List<Member> members, LocalAddresses machine) {
        if (machine.contains(address)) {
            return members.get(0).cluster();
        }
        Set<String> taken = new HashSet<>();
        for (Member member : members) {
            InetAddress its = Hosts.numeric(member.dataAddress(), InetAddress.getLoopbackAddress());
            if (subnet(its).equals(subnet(address))) {
                return member.cluster();
            }
            taken.add(member.cluster());
        }
        int next = 0;
        while (taken.contains(Topology.letters(next))) {
            next++;
        }
        return Topology.letters(next);
    }

    /** The subnet of an address, as text that is equal for those in it. */
    static String subnet(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return "loopback";
        }
        int bytes = address instanceof Inet4Address ? IPV4_SUBNET_BYTES : IPV6_SUBNET_BYTES;
        return Arrays.toString(Arrays.copyOf(address.getAddress(), bytes));
    }
}
