package org.robber.transport.rankzero;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Addresses of peers whose greetings failed for one reason: most likely nodes with another secret, or of another version. They do not end
 * the job, but they may be the nodes that are missing. Not thread-safe.
 */
final class FailedGreetings {
    /** A limit of memory: an attacker may have many addresses. */
    private static final int MOST_ADDRESSES = 8;

    private final Map<String, Integer> timesByAddress = new LinkedHashMap<>();
    private final String clause;
    private int elsewhere;

    /** @param clause what such a peer has done, and what to do */
    FailedGreetings(String clause) {
        this.clause = clause;
    }

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
        return "; a node from " + String.join(", one from ", addresses) + " " + clause;
    }
}
