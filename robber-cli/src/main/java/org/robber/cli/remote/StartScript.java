package org.robber.cli.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The shell script that starts a node on a host, and the command that runs it there. The script comes through standard input: no login
 * shell has to understand more of it than a command with a word in quotes.
 */
final class StartScript {

    /** The host wants the archive of the program, and nothing else, through its standard input. */
    static final String NEED = "robber-need";

    /** Before the address from which the host was reached: Java begins, and waits for its order. */
    static final String READY = "robber-ready ";

    /** Before a reason. */
    static final String FAILED = "robber-failed ";

    private static final String RESOURCE = "start-node.sh";

    /** Flags that are right only on this machine, for this terminal, or with this version of Java. */
    private static final List<String> FLAGS_OF_THIS_PROCESS = List.of(
            "-XX:SharedArchiveFile=",
            "-Djava.library.path=",
            "-Drobber.cli.columns=",
            "--sun-misc-unsafe-memory-access=");

    private final byte[] text;

    private StartScript(byte[] text) {
        this.text = text;
    }

    /**
     * A script for these.
     *
     * @param java the program there, or empty
     * @param flags of Java, as this process has them
     */
    static StartScript of(CarriedProgram program, String java, List<String> flags) {
        String words = flags.stream()
                .filter(flag -> FLAGS_OF_THIS_PROCESS.stream().noneMatch(flag::startsWith))
                .map(flag -> " " + quoted(flag))
                .collect(Collectors.joining());
        String values = "digest=" + program.digest() + "\nbytes=" + program.archive().length + "\nsums="
                + quoted(program.sums()) + "\njava=" + quoted(java)
                + "\nset -- -XX:+IgnoreUnrecognizedVMOptions" + words + "\n";
        return new StartScript((values + resource()).getBytes(StandardCharsets.UTF_8));
    }

    private static String resource() {
        try (@Nullable InputStream script = StartScript.class.getResourceAsStream(RESOURCE)) {
            if (script == null) {
                throw new IOException("there is no " + RESOURCE + " in this program");
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the program is not whole", e);
        }
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    /** The script; not to be changed. */
    byte[] text() {
        return text;
    }

    /** The command for the host. It reads the script byte by byte, and leaves what comes behind. */
    String command() {
        return "exec sh -c 'eval \"$(dd bs=1 count=" + text.length + " 2>/dev/null)\"'";
    }
}
