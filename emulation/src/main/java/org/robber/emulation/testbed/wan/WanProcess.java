package org.robber.emulation.testbed.wan;

import com.google.common.collect.ImmutableList;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.robber.emulation.testbed.sandbox.LineProcess;
import org.robber.emulation.testbed.sandbox.TestbedException;

/**
 * The process of {@link WanMain}. It ends with its standard input, so also when this process dies.
 */
final class WanProcess implements AutoCloseable {

    private static final String READY = "ready ";
    private static final String OK = "ok";
    private static final String FATAL = "fatal: ";

    private final LineProcess process;
    private final String precedence;

    private WanProcess(LineProcess process) {
        this.process = process;
        String greeting = answer(READY);
        if (!greeting.startsWith(READY)) {
            close();
            throw process.unexpected(READY.strip(), "'" + greeting + "'");
        }
        precedence = greeting.substring(READY.length()).toLowerCase(Locale.ROOT);
    }

    /**
     * Starts a process and waits until its devices exist.
     *
     * @param enter beginning of the command, to run it in other namespaces
     * @param single whether the kernel cuts super-packets
     */
    static WanProcess start(List<String> enter, List<WanPort> ports, int mtu, boolean single, int packets, long seed) {
        ImmutableList.Builder<String> command = ImmutableList.builder();
        command.addAll(enter);
        command.add(System.getProperty("java.home") + "/bin/java");
        // One thread does all the work and allocates next to nothing: the simplest collector, the quick compiler,
        // little memory.
        command.add("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xms16m", "-Xmx64m", "-Xss512k");
        command.add("-Xshare:auto", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED");
        command.add("-cp", System.getProperty("java.class.path"));
        command.add(WanMain.class.getName());
        if (single) {
            command.add(WanMain.SINGLE);
        }
        command.add(Integer.toString(mtu), Integer.toString(packets), Long.toString(seed));
        ports.forEach(port -> command.add(port.toString()));
        return new WanProcess(LineProcess.start(
                "the wide-area network",
                new ProcessBuilder(command.build()).redirectError(ProcessBuilder.Redirect.INHERIT)));
    }

    String precedence() {
        return precedence;
    }

    /** Gives commands that take effect together. */
    void order(List<String> lines) {
        process.tell(String.join("\n", lines));
        for (String line : lines) {
            String answer = answer(OK);
            if (!answer.equals(OK)) {
                throw process.unexpected(OK, "'" + answer + "' to: " + line);
            }
        }
    }

    /** Asks for the counts of packets. */
    WanCounts count() {
        process.tell("count");
        return WanCounts.parse(answer("counts"));
    }

    private String answer(String wanted) {
        try {
            String answer = process.answer(wanted, Duration.ZERO);
            if (answer.startsWith(FATAL)) {
                throw new TestbedException("the wide-area network is gone: " + answer);
            }
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestbedException("interrupted while the wide-area network was asked", e);
        }
    }

    /** Ends the process. */
    @Override
    public void close() {
        process.close();
    }
}
