package org.robber.bench.death;

import java.nio.file.Path;

/**
 * What {@link OneDeath} is asked for.
 *
 * @param scenario a file
 * @param nodes of each cluster, at least 1
 * @param dataBytes size of the data
 * @param strategy its name
 * @param firstSeed of the first run; the next ones have the next
 * @param runs how many, at least 1
 * @param inTestbed whether with real processes
 * @param launcher the command {@code robber-cli}
 */
record OneDeathOptions(
        Path scenario,
        int nodes,
        long dataBytes,
        String strategy,
        long firstSeed,
        int runs,
        boolean inTestbed,
        String launcher) {
    static final String USAGE = """
            usage: robber-bench/bin/one-death [OPTION]...
            What the death of one node, drawn at random like its time, costs the others: their time over that without it.

              --scenario=FILE    (tc1_fast_links)
              --nodes=N          nodes of each cluster (4)
              --size=BYTES       size of the data (600000000)
              --strategy=NAME    as in robber-cli emulate (robber)
              --seed=N           of the first run (1)
              --runs=N           with the seeds that follow (21)
              --testbed=BOOLEAN  real processes in the testbed, which needs root; else the simulator (false)
            """;

    /**
     * Reads {@code --name=value}.
     *
     * @param root folder of the project
     * @throws IllegalArgumentException if one is unknown or has no such value
     */
    static OneDeathOptions parse(Path root, String... arguments) {
        OneDeathOptions options = new OneDeathOptions(
                root.resolve("emulation/scenarios/tc1_fast_links.json"),
                4,
                600_000_000,
                "robber",
                1,
                21,
                false,
                root.resolve("robber-cli/bin/robber-cli").toString());
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("'" + argument + "' is not of the form --name=value");
            }
            options = options.with(argument.substring(0, equals), argument.substring(equals + 1));
        }
        return options;
    }

    private OneDeathOptions with(String name, String value) {
        Path file = name.equals("--scenario") ? Path.of(value) : scenario;
        int perCluster = name.equals("--nodes") ? (int) number(name, value, 1) : nodes;
        long bytes = name.equals("--size") ? number(name, value, 0) : dataBytes;
        String newStrategy = name.equals("--strategy") ? value : strategy;
        long seed = name.equals("--seed") ? number(name, value, 0) : firstSeed;
        int count = name.equals("--runs") ? (int) number(name, value, 1) : runs;
        boolean testbed = name.equals("--testbed") ? truth(name, value) : inTestbed;
        if (!USAGE.contains("  " + name + "=")) {
            throw new IllegalArgumentException("no option " + name);
        }
        return new OneDeathOptions(file, perCluster, bytes, newStrategy, seed, count, testbed, launcher);
    }

    private static long number(String name, String value, int least) {
        if (!value.matches("[0-9]{1,9}") || Long.parseLong(value) < least) {
            throw new IllegalArgumentException(name + "=" + value + " is not a whole number from " + least + " on");
        }
        return Long.parseLong(value);
    }

    private static boolean truth(String name, String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException(name + "=" + value + " is neither true nor false");
        }
        return Boolean.parseBoolean(value);
    }
}
