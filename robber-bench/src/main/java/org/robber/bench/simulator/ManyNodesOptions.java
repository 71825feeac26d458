package org.robber.bench.simulator;

import java.util.Locale;

/**
 * What {@link ManyNodes} is asked for.
 *
 * @param clusters at least 2
 * @param nodes of each cluster, at least 1
 * @param dataBytes size of the data
 * @param pieceBytes size of a piece
 * @param strategy its name
 * @param seed of everything random
 * @param hashed whether to hash all that nodes are told and do
 */
record ManyNodesOptions(
        int clusters, int nodes, long dataBytes, int pieceBytes, String strategy, long seed, boolean hashed) {
    static final String USAGE = """
            usage: robber-bench/bin/simulator [OPTION]...
            Simulates one multicast among many nodes, and says what the simulation costs.

              --clusters=N       clusters (100)
              --nodes=N          nodes of each cluster (100)
              --size=BYTES       size of the data (1000000000)
              --piece-size=BYTES size of a piece (4194304)
              --strategy=NAME    as in robber-cli emulate (robber)
              --seed=N           of everything random (1)
              --hash=BOOLEAN     also print the hash of the trace, the same on every JDK (false)
            """;

    /**
     * Reads {@code --name=value}.
     *
     * @throws IllegalArgumentException if one is unknown or has no such value
     */
    static ManyNodesOptions parse(String... arguments) {
        ManyNodesOptions options = new ManyNodesOptions(100, 100, 1_000_000_000, 1 << 22, "robber", 1, false);
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("'" + argument + "' is not of the form --name=value");
            }
            options = options.with(argument.substring(0, equals), argument.substring(equals + 1));
        }
        return options;
    }

    private ManyNodesOptions with(String name, String value) {
        return switch (name) {
            case "--clusters" ->
                new ManyNodesOptions(count(name, value, 2), nodes, dataBytes, pieceBytes, strategy, seed, hashed);
            case "--nodes" ->
                new ManyNodesOptions(clusters, count(name, value, 1), dataBytes, pieceBytes, strategy, seed, hashed);
            case "--size" ->
                new ManyNodesOptions(clusters, nodes, number(name, value), pieceBytes, strategy, seed, hashed);
            case "--piece-size" ->
                new ManyNodesOptions(clusters, nodes, dataBytes, count(name, value, 1), strategy, seed, hashed);
            case "--strategy" -> new ManyNodesOptions(clusters, nodes, dataBytes, pieceBytes, value, seed, hashed);
            case "--seed" ->
                new ManyNodesOptions(clusters, nodes, dataBytes, pieceBytes, strategy, number(name, value), hashed);
            case "--hash" ->
                new ManyNodesOptions(clusters, nodes, dataBytes, pieceBytes, strategy, seed, truth(name, value));
            default -> throw new IllegalArgumentException("no option " + name);
        };
    }

    private static int count(String name, String value, int least) {
        long number = number(name, value);
        if (number < least || number > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(name + "=" + value + " is not at least " + least);
        }
        return (int) number;
    }

    private static long number(String name, String value) {
        if (!value.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException(name + "=" + value + " is not a whole number");
        }
        return Long.parseLong(value);
    }

    private static boolean truth(String name, String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(name + "=" + value + " is neither true nor false");
        };
    }
}
