package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Machines, as namespaces, with networks between them and firewalls: a node of a job on each. Root only. */
final class Machines implements AutoCloseable {
    private static final List<Path> TOOLS = List.of(Path.of("/usr/sbin/nft"), Path.of("/usr/sbin/ip"));
    private static final AtomicInteger MADE = new AtomicInteger();
    private static final Path ETC = Path.of("/etc/netns");

    private final Path folder;
    private final String prefix = "rb" + ProcessHandle.current().pid() % 100_000 + "x" + MADE.incrementAndGet() + "n";
    private final int count;
    private final List<Launched> nodes = new ArrayList<>();
    private final List<Path> hostFiles = new ArrayList<>();

    /**
     * Makes machines that know nobody but themselves.
     *
     * @param folder of the test
     */
    Machines(Path folder, int count) throws Exception {
        assumeThat(TOOLS).as("nftables and iproute2 are installed").allMatch(Files::isExecutable);
        assumeThat(Files.isWritable(Path.of("/proc/sys/net/ipv4/ip_forward")))
                .as("root")
                .isTrue();
        this.folder = folder;
        this.count = count;
        run("ip", "netns", "add", prefix + "s");
        for (int machine = 0; machine < count; machine++) {
            run("ip", "netns", "add", prefix + machine);
            in(machine, "ip", "link", "set", "lo", "up");
        }
    }

    /** Makes a network, without machines in it. */
    void network(String name) throws Exception {
        inSwitch("ip", "link", "add", "sw-" + name, "type", "bridge");
        inSwitch("ip", "link", "set", "sw-" + name, "up");
    }

    /** Connects a machine to a network, by an interface of its name. */
    void connect(int machine, String network, String address) throws Exception {
        String end = network + machine;
        inSwitch("ip", "link", "add", end, "type", "veth", "peer", "name", network, "netns", prefix + machine);
        inSwitch("ip", "link", "set", end, "master", "sw-" + network, "up");
        in(machine, "ip", "link", "set", network, "up");
        if (address.contains(":")) {
            in(machine, "ip", "addr", "add", address, "dev", network, "nodad");
        } else {
            in(machine, "ip", "addr", "add", address, "dev", network);
        }
    }

    /** Lets nothing in but loopback, answers, and what these rules of nftables accept. */
    void accept(int machine, String... rules) throws Exception {
        Path file = Files.writeString(folder.resolve("rules" + machine), """
                table inet filter {
                  chain input {
                    type filter hook input priority 0; policy drop;
                    iif lo accept
                    ct state established,related accept
                    icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept
                    %s
                  }
                }
                """.formatted(String.join("\n", rules)));
        in(machine, "nft", "-f", file.toString());
    }

    /** What the machine has in {@code /etc/hosts}. */
    void hosts(int machine, String lines) throws IOException {
        Path etc = Files.createDirectories(ETC.resolve(prefix + machine));
        hostFiles.add(Files.writeString(etc.resolve("hosts"), lines));
    }

    /** Starts the node of a rank on the machine of this number. */
    Launched start(int rank, int size, String cluster, String uri, List<String> arguments) throws IOException {
        Map<String, String> place = Map.of(
                "ROBBER_RANK",
                Integer.toString(rank),
                "ROBBER_SIZE",
                Integer.toString(size),
                "ROBBER_CLUSTER",
                cluster,
                "ROBBER_URI",
                uri);
        return start(rank, place, arguments);
    }

    /** Starts the program on a machine, with these variables. */
    Launched start(int machine, Map<String, String> variables, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "ip", "netns", "exec", prefix + machine, Launched.script().toString()));
        command.addAll(arguments);
        Launched node = Launched.command(folder, variables, command);
        nodes.add(node);
        return node;
    }

    /** Bytes that a machine has received from a network. */
    long receivedBytes(int machine, String network) throws Exception {
        return Long.parseLong(in(machine, "cat", "/sys/class/net/" + network + "/statistics/rx_bytes")
                .strip());
    }

    /** Runs a command on a machine; returns what it says. */
    String in(int machine, String... command) throws Exception {
        return inNamespace(prefix + machine, command);
    }

    private void inSwitch(String... command) throws Exception {
        String unused = inNamespace(prefix + "s", command);
    }

    private static String inNamespace(String namespace, String... command) throws Exception {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        all.addAll(List.of(command));
        return run(all.toArray(String[]::new));
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s: %s", List.of(command), said).isZero();
        return said;
    }

    /** Ends all nodes, and removes the machines. */
    @Override
    public void close() throws IOException {
        nodes.forEach(Launched::close);
        for (Path file : hostFiles) {
            Files.deleteIfExists(file);
            Files.deleteIfExists(file.getParent());
        }
        for (int machine = 0; machine < count; machine++) {
            remove(prefix + machine);
        }
        remove(prefix + "s");
    }

    /** What runs there goes on without it, and is gone with the nodes. */
    private static void remove(String namespace) throws IOException {
        new ProcessBuilder("ip", "netns", "del", namespace).start().onExit().join();
    }
}
