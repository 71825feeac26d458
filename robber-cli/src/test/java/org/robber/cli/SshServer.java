package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A real sshd on loopback for this user, with keys of its own. Each port stands for a kind of host: sessions there have variables of
 * their own. Hosts are names in the configuration of the client.
 */
final class SshServer implements AutoCloseable {
    private static final Path SSHD = Path.of("/usr/sbin/sshd");
    private static final String OPTIONS = """
            UsePAM no
            StrictModes no
            PidFile none
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            PermitRootLogin prohibit-password
            MaxStartups 100
            """;
    private static final long START_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Path folder;
    private final Map<String, Integer> portOfHost = new TreeMap<>();
    private final Map<Integer, String> variablesOfPort = new TreeMap<>();
    private Process process;

    /** @param folder for keys and configuration; made if it is missing */
    SshServer(Path folder) throws IOException, InterruptedException {
        this.folder = Files.createDirectories(folder);
        for (String key : List.of("host", "user", "wrong")) {
            run(
                    "ssh-keygen",
                    "-q",
                    "-t",
                    "ed25519",
                    "-N",
                    "",
                    "-f",
                    folder.resolve(key).toString());
        }
    }

    /** Whether there is an sshd here. */
    static boolean isPossible() {
        return Files.isExecutable(SSHD);
    }

    /**
     * Hosts of one kind; before {@link #start}.
     *
     * @param variables of sessions there: {@code HOME=/x PATH=/y}
     */
    SshServer hosts(String variables, String... names) throws IOException {
        int port = FreePort.find();
        variablesOfPort.put(port, variables);
        for (String name : names) {
            portOfHost.put(name, port);
        }
        return this;
    }

    /**
     * Starts it, and waits until it accepts connections.
     *
     * @param prefix a command that runs another one, or none
     */
    SshServer start(String... prefix) throws IOException, InterruptedException {
        if (Files.getOwner(folder).getName().equals("root")) {
            Files.createDirectories(Path.of("/run/sshd"));
        }
        StringBuilder server = new StringBuilder(OPTIONS);
        variablesOfPort
                .keySet()
                .forEach(port -> server.append("Port ").append(port).append('\n'));
        server.append("ListenAddress 127.0.0.1\n");
        server.append("HostKey ").append(folder.resolve("host")).append('\n');
        server.append("AuthorizedKeysFile ").append(folder.resolve("user.pub")).append('\n');
        variablesOfPort.forEach(
                (port, variables) -> server.append("Match LocalPort " + port + "\n  SetEnv " + variables + "\n"));
        Path config = Files.writeString(folder.resolve("sshd_config"), server);
        writeClientConfig("ssh_config", "user");
        writeClientConfig("wrong_config", "wrong");
        List<String> command = new ArrayList<>(List.of(prefix));
        command.addAll(List.of(SSHD.toString(), "-D", "-e", "-f", config.toString()));
        Path log = folder.resolve("sshd.log");
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        long end = System.nanoTime() + START_LIMIT_NANOS;
        for (int port : variablesOfPort.keySet()) {
            while (!accepts(port)) {
                assertThat(process.isAlive() && System.nanoTime() < end)
                        .as("sshd starts: %s", Files.readString(log))
                        .isTrue();
                TimeUnit.MILLISECONDS.sleep(10);
            }
        }
        return this;
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void writeClientConfig(String name, String key) throws IOException {
        StringBuilder client = new StringBuilder();
        StringBuilder known = new StringBuilder();
        String hostKey = Files.readString(folder.resolve("host.pub")).strip();
        portOfHost.forEach(
                (host, port) -> client.append("Host " + host + "\n  HostName 127.0.0.1\n  Port " + port + "\n"));
        variablesOfPort.keySet().forEach(port -> known.append("[127.0.0.1]:" + port + " " + hostKey + "\n"));
        client.append("Host *\n  IdentitiesOnly yes\n  IdentityFile " + folder.resolve(key) + "\n  UserKnownHostsFile "
                + folder.resolve("known_hosts") + "\n");
        Files.writeString(folder.resolve("known_hosts"), known);
        Files.writeString(folder.resolve(name), client);
    }

    /** The option by which hosts are found. */
    String option() {
        return "--ssh=ssh -F '" + folder.resolve("ssh_config") + "'";
    }

    /** The same with a key that no host accepts. */
    String optionWithWrongKey() {
        return "--ssh=ssh -F '" + folder.resolve("wrong_config") + "'";
    }

    private static void run(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
                .as("%s", List.of(command))
                .isZero();
    }

    @Override
    public void close() {
        if (process != null) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
