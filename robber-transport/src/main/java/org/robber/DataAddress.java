package org.robber;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Where a node listens for the data of its peers, and the address that it tells them.
 *
 * @param network an address, a host name, the name of an interface, or a network such as {@code 10.1.0.0/16} that one of the machine's addresses is in. It may be
 *     several of these with commas between, the best first: peers try them in this order. Empty: all addresses of the machine, of which peers try the one at
 *     which rank 0 sees it first. An address that is none of the machine's is one that something passes on to it,
 *     with the same ports
 * @param firstPort of those that may be used, 0 for any that is free
 * @param lastPort of those that may be used
 */
public record DataAddress(String network, int firstPort, int lastPort) {
    private static final DataAddress ANY = new DataAddress("", 0, 0);

    public DataAddress {
        checkArgument(
                firstPort >= 0 && firstPort <= lastPort && lastPort <= 0xFFFF && (firstPort > 0 || lastPort == 0),
                "ports %s-%s",
                firstPort,
                lastPort);
    }

    /** All addresses, and any free port. */
    public static DataAddress any() {
        return ANY;
    }
}
