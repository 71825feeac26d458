package org.robber.core.steal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.Words;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/**
 * A network of nodes worked by hand. Commands:
 *
 * <pre>
 * network 2,3 pieces=6 window=2 connect=0-1,0-2 [puppets=0,3]   clusters of 2 and 3; rank 0 is the root
 * ready 0-1 2-3        both ends of the connections learn of each other
 * deliver 0-1 3        the next 3 things on their way from 0 to 1 arrive; without a number, all of them
 * corrupt 0-1          the next thing, a piece, arrives corrupt
 * run                  everything arrives, connection by connection, until nothing is on its way
 * say 3-1 stop         puppet 3 says something to 1, and it arrives at once
 * lose 1-2             1 loses 2
 * show 1               what 1 knows
 * </pre>
 *
 * <p>{@code 0-1 piece 4} is what arrives at 1; indented below it stands what 1 does then. Puppets only hear.
 */
final class Transcript {
    private final Map<Integer, ScriptedNode> nodes = new TreeMap<>();
    private final Map<String, ArrayDeque<String>> lines = new TreeMap<>();
    private final List<String> output = new ArrayList<>();

    /** Carries out one command and returns all that came of it. */
    String run(String command) {
        output.clear();
        String[] words = command.split(" ");
        switch (words[0]) {
            case "network" -> network(words);
            case "ready" -> Arrays.stream(words).skip(1).forEach(this::ready);
            case "deliver" ->
                deliver(
                        words[1],
                        words.length > 2
                                ? Integer.parseInt(words[2])
                                : queue(words[1]).size());
            case "corrupt" -> arrive(words[1], queue(words[1]).remove().replace("piece", "corrupt-piece"));
            case "run" -> runUntilQuiet();
            case "say" -> arrive(words[1], String.join(" ", Arrays.asList(words).subList(2, words.length)));
            case "lose" -> act(from(words[1]), nodes.get(from(words[1])).lose(to(words[1])));
            case "show" -> show(Integer.parseInt(words[1]));
            default -> throw new IllegalArgumentException("no command: " + command);
        }
        return output.isEmpty() ? "nothing\n" : String.join("\n", output) + "\n";
    }

    private void network(String[] words) {
        Topology topology = Topology.ofSizes(ints(words[1]));
        Overlay.Builder overlay = Overlay.builder(topology);
        for (String line : option(words, "connect", "").split(",", -1)) {
            overlay.connect(from(line), to(line));
        }
        Overlay planned = overlay.build();
        int pieceCount = Integer.parseInt(option(words, "pieces", "1"));
        int window = Integer.parseInt(option(words, "window", "5"));
        List<Integer> puppets =
                Arrays.stream(ints(option(words, "puppets", ""))).boxed().toList();
        for (int rank = 0; rank < topology.size(); rank++) {
            if (!puppets.contains(rank)) {
                PieceSet possession = rank == 0 ? PieceSet.full(pieceCount) : PieceSet.empty(pieceCount);
                nodes.put(
                        rank,
                        ScriptedNode.of(StealingNode.ofRobber(
                                new NodeSetup(rank, topology, planned, 0, possession, 7, window, 1),
                                StealingVariant.PUBLISHED)));
                act(rank, nodes.get(rank).start());
            }
        }
    }

    private void ready(String line) {
        IntStream.of(from(line), to(line)).filter(nodes::containsKey).forEach(rank -> {
            output.add(rank + " ready for " + (from(line) + to(line) - rank));
            act(rank, nodes.get(rank).ready(from(line) + to(line) - rank));
        });
    }

    private void deliver(String line, int count) {
        for (int i = 0; i < count; i++) {
            arrive(line, queue(line).remove());
        }
    }

    private void runUntilQuiet() {
        boolean quiet = false;
        while (!quiet) {
            quiet = true;
            for (String line : List.copyOf(lines.keySet())) {
                if (nodes.containsKey(to(line)) && !queue(line).isEmpty()) {
                    deliver(line, queue(line).size());
                    quiet = false;
                }
            }
        }
    }

    private void arrive(String line, String thing) {
        ScriptedNode node = nodes.get(to(line));
        int fromRank = from(line);
        output.add(line + " " + thing);
        List<String> actions;
        if (thing.startsWith("piece ")) {
            actions = node.store(fromRank, lastNumber(thing));
        } else if (thing.startsWith("corrupt-piece ")) {
            actions = node.corrupt(fromRank, lastNumber(thing));
        } else {
            actions = node.receive(fromRank, thing);
        }
        act(to(line), actions);
    }

    private void act(int rank, List<String> actions) {
        for (String action : actions) {
            output.add("    " + rank + " -> " + action);
            int colon = action.indexOf(": ");
            if (colon > 0 && Character.isDigit(action.charAt(0))) {
                queue(rank + "-" + action.substring(0, colon)).add(action.substring(colon + 2));
            }
        }
    }

    private void show(int rank) {
        StealingNode node = nodes.get(rank).node();
        WorkStealing stealing = (WorkStealing) node.policy();
        PieceSet pending = node.parts()
                .ledger()
                .possession()
                .lacked()
                .andNot(node.parts().ledger().unasked());
        output.add(String.format(
                "%d %s: possesses %s, pending %s, own work %s, labour force %s",
                rank,
                stealing.phase(),
                Words.of(node.possession()),
                Words.of(pending),
                Words.of(node.parts().ledger().ownWork()),
                node.parts().peers().locals().stream()
                        .filter(stealing.candidates()::contains)
                        .map(peer -> peer.rank())
                        .toList()));
    }

    private ArrayDeque<String> queue(String line) {
        return lines.computeIfAbsent(line, key -> new ArrayDeque<>());
    }

    private static int lastNumber(String thing) {
        return Integer.parseInt(thing.substring(thing.lastIndexOf(' ') + 1));
    }

    private static int from(String line) {
        return Integer.parseInt(line.substring(0, line.indexOf('-')));
    }

    private static int to(String line) {
        return Integer.parseInt(line.substring(line.indexOf('-') + 1));
    }

    private static int[] ints(String list) {
        return list.isEmpty()
                ? new int[0]
                : Arrays.stream(list.split(",")).mapToInt(Integer::parseInt).toArray();
    }

    private static String option(String[] words, String name, String otherwise) {
        return Arrays.stream(words)
                .filter(word -> word.startsWith(name + "="))
                .map(word -> word.substring(name.length() + 1))
                .findFirst()
                .orElse(otherwise);
    }
}
