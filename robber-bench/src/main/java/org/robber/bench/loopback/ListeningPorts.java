package org.robber.bench.loopback;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Where processes can be reached, as {@code /proc} tells. */
final class ListeningPorts {
    private static final String LISTENING = "0A";
    private static final int LOCAL_ADDRESS = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;

    private ListeningPorts() {}

    /** The TCP ports at which the processes that this one has started listen at the moment. */
    static List<Integer> ofChildren() {
        List<Integer> ports = new ArrayList<>();
        ProcessHandle.current().children().forEach(child -> {
            try {
                ports.addAll(of(Path.of("/proc/" + child.pid())));
            } catch (IOException | UncheckedIOException e) {
                // it has ended meanwhile
            }
        });
        return ports;
    }

    private static List<Integer> of(Path process) throws IOException {
        Set<String> sockets = new HashSet<>();
        try (Stream<Path> files = Files.list(process.resolve("fd"))) {
            for (Path file : files.toList()) {
                try {
                    sockets.add(Files.readSymbolicLink(file).toString());
                } catch (NoSuchFileException e) {
                    // closed meanwhile
                }
            }
        }
        List<Integer> ports = new ArrayList<>();
        for (String table : List.of("net/tcp", "net/tcp6")) {
            for (String line : Files.readAllLines(process.resolve(table))) {
                String[] fields = line.trim().split(" +", -1);
                if (fields[STATE].equals(LISTENING) && sockets.contains("socket:[" + fields[INODE] + "]")) {
                    String address = fields[LOCAL_ADDRESS];
                    ports.add(Integer.parseInt(address.substring(address.indexOf(':') + 1), 16));
                }
            }
        }
        return ports;
    }
}
