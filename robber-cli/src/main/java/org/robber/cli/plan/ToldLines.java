package org.robber.cli.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import org.robber.Communicator;

/** Lines that nodes have for rank 0. */
final class ToldLines {

    /** Of the lines that all nodes together tell rank 0, which hears a mebibyte at most. */
    private static final int MOST_TOLD_BYTES = 900_000;

    private ToldLines() {}

    /**
     * Brings the lines of all nodes to rank 0.
     *
     * @param mine those of this node
     * @return at rank 0 those of each node, by rank; elsewhere nothing
     */
    static List<List<String>> gather(Communicator world, List<String> mine) {
        StringBuilder told = new StringBuilder();
        int fits = MOST_TOLD_BYTES / world.size();
        int count = 0;
        for (String line : mine) {
            fits -= line.getBytes(UTF_8).length + 1;
            if (fits < 0) {
                told.append("and ").append(mine.size() - count).append(" more\n");
                break;
            }
            told.append(line).append('\n');
            count++;
        }
        return world.control().gather(told.toString().getBytes(UTF_8)).stream()
                .map(one -> new String(one, UTF_8).lines().toList())
                .toList();
    }
}
