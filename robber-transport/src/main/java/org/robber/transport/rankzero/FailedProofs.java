package org.robber.transport.rankzero;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Addresses of peers that failed to prove the secret, most likely nodes with another secret. They do not end the job, but they may be
 * the nodes that are missing. Not thread-safe.
 */
final class FailedProofs {
    /** A limit of memory: an attacker may have many addresses. */
    private static final int MOST_ADDRESSES = 8;

    private final Map<String, Integer> timesByAddress = new LinkedHashMap<>();
    private int elsewhere;

    /** A peer at this address has failed. */
    void add(String address) {
        if (timesByAddress.containsKey(address) || timesByAddress.size() < MOST_ADDRESSES) {
            timesByAddress.merge(address, 1, Integer::sum);
        } else {
            elsewhere++;
        }
    }

    /** A clause for the error that names missing nodes; empty if there is no such address. */
    @Override
    public String toString() {
        if (timesByAddress.isEmpty()) {
            return "";
        }
        List<String> addresses = new ArrayList<>();
        timesByAddress.forEach(
                (address, times) -> addresses.add(times == 1 ? address : address + " (" + times + " times)"));
        if (elsewhere > 0) {
            addresses.add("other addresses (" + elsewhere + " times)");
        }
        return "; a node from " + String.join(", one from ", addresses)
                + " failed to prove the secret: is ROBBER_SECRET_FILE the same on every node?";
    }
}
