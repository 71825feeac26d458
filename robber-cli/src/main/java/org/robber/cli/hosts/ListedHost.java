package org.robber.cli.hosts;

import org.jspecify.annotations.Nullable;

/**
 * A host that a node is to be started on.
 *
 * @param address as ssh takes it: a name or an address, with {@code user@} before it if wanted
 * @param cluster the cluster of its node, or null: nodes of one subnet are one cluster
 */
public record ListedHost(String address, @Nullable String cluster) {

    /** The host without its user. */
    public String name() {
        return address.substring(address.indexOf('@') + 1);
    }
}
