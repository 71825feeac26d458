package org.robber.cli.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
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
        String told = fitting(mine, MOST_TOLD_BYTES / world.size());
        return world.control().gather(told.getBytes(UTF_8)).stream()
                .map(one -> new String(one, UTF_8).lines().toList())
                .toList();
    }

    /** Of the first line at least the beginning, as it may be the only one, then those that fit, and the number of others. */
    static String fitting(List<String> lines, int mostBytes) {
        StringBuilder told = new StringBuilder();
        int left = mostBytes;
        for (int count = 0; count < lines.size(); count++) {
            String line = count == 0 ? beginning(lines.get(0), mostBytes - 1) : lines.get(count);
            left -= line.getBytes(UTF_8).length + 1;
            if (left < 0) {
                return told.append("and ")
                        .append(lines.size() - count)
                        .append(" more\n")
                        .toString();
            }
            told.append(line).append('\n');
        }
        return told.toString();
    }

    /** Whole characters that take at most so many bytes. */
    private static String beginning(String line, int mostBytes) {
        CharBuffer rest = CharBuffer.wrap(line);
        CoderResult unused = UTF_8.newEncoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .encode(rest, ByteBuffer.allocate(Math.max(0, mostBytes)), true);
        return line.substring(0, rest.position());
    }
}
