package org.robber.emulation.testbed.wan;

import com.google.common.collect.ImmutableList;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.robber.emulation.testbed.sandbox.TestbedException;

/**
 * The process of {@link WanMain}. It ends with its standard input, so also when this process dies.
 */
final class WanProcess implements AutoCloseable {

    private static final String READY = "ready ";
    private static final String OK = "ok";
    private static final String FATAL = "fatal: ";
    /** Stands for the end of the answers. */
    private static final String END = FATAL + "its process has ended";

    private static final long ANSWER_SECONDS = 30;
    private static final long END_SECONDS = 5;

    private final Process process;
    private final BufferedWriter commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final String precedence;

    private WanProcess(Process process) {
        this.process = process;
        commands = process.outputWriter(StandardCharsets.US_ASCII);
        Thread reader = new Thread(this::read, "wan-answers");
        reader.setDaemon(true);
        reader.start();
        String greeting = answer();
        if (!greeting.startsWith(READY)) {
            close();
            throw new TestbedException("the wide-area network does not start: it says " + greeting);
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
        try {
            return new WanProcess(new ProcessBuilder(command.build())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new TestbedException("the wide-area network does not start: " + e.getMessage(), e);
        }
    }

    String precedence() {
        return precedence;
    }

    /** Gives commands that take effect together. */
    void order(List<String> lines) {
        send(String.join("\n", lines));
        for (String line : lines) {
            String answer = answer();
            if (!answer.equals(OK)) {
                throw new TestbedException("the wide-area network answered '" + answer + "' to: " + line);
            }
        }
    }

    /** Asks for the counts of packets. */
    WanCounts count() {
        send("count");
        return WanCounts.parse(answer());
    }

    /** Ends the process. */
    @Override
    public void close() {
        boolean interrupted = false;
        try {
            commands.close();
        } catch (IOException e) {
            // the process has ended before
            process.destroy();
        }
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(String text) {
        try {
            commands.write(text);
            commands.newLine();
            commands.flush();
        } catch (IOException e) {
            throw new TestbedException("the wide-area network is gone: " + lastOutput(), e);
        }
    }

    private String answer() {
        try {
            String answer = answers.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
            if (answer == null) {
                throw new TestbedException("the wide-area network has not answered for " + ANSWER_SECONDS + " s");
            }
            if (answer.startsWith(FATAL) || answer.equals(END)) {
                answers.add(answer);
                throw new TestbedException("the wide-area network is gone: " + answer);
            }
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestbedException("interrupted while the wide-area network was asked", e);
        }
    }

    /** Its output after its answers. */
    private String lastOutput() {
        return String.join(" ", answers);
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.US_ASCII)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.add(line);
            }
            answers.add(END);
        } catch (IOException e) {
            answers.add("cannot read its answers: " + e.getMessage());
        }
    }
}
