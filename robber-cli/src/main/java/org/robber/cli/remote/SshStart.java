package org.robber.cli.remote;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.robber.cli.hosts.ListedHost;
import org.robber.cli.launch.ErrorPump;
import org.robber.cli.launch.ProcessTree;
import org.robber.cli.progress.StatusConsole;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start of a node by ssh: carries the program over if it is missing there, and waits until Java begins. The standard error of ssh is
 * passed on for as long as it runs.
 */
final class SshStart implements HostStart {

    private static final Logger LOG = LoggerFactory.getLogger(SshStart.class);
    private static final int CHUNK_BYTES = 1 << 16;
    private static final int LONGEST_LINE = 8192;
    private static final long LAST_WORDS_MILLIS = 2000;

    private final ListedHost host;
    private final List<String> command;
    private final StartScript script;
    private final CarriedProgram program;
    private final StatusConsole console;

    private @Nullable Process process;
    private @Nullable String givenUp;
    private long lastNanos;
    private volatile @Nullable ErrorPump errors;

    /** @param command that runs the script on the host */
    SshStart(ListedHost host, List<String> command, StartScript script, CarriedProgram program, StatusConsole console) {
        this.host = host;
        this.command = command;
        this.script = script;
        this.program = program;
        this.console = console;
    }

    @Override
    public ListedHost host() {
        return host;
    }

    @Override
    public Outcome run() {
        Process ssh;
        try {
            synchronized (this) {
                if (givenUp != null) {
                    return Outcome.none(this, givenUp);
                }
                ProcessBuilder builder = new ProcessBuilder(command);
                // the secret may be there
                builder.environment().keySet().removeIf(name -> name.startsWith("ROBBER_"));
                ssh = builder.start();
                process = ssh;
                lastNanos = System.nanoTime();
            }
        } catch (IOException e) {
            return Outcome.none(this, "cannot start ssh: " + e.getMessage());
        }
        errors = ErrorPump.start(host.address(), ssh.getErrorStream(), console);
        try {
            send(ssh, script.text());
            return converse(ssh);
        } catch (IOException e) {
            LOG.debug("{} does not listen", host.address(), e);
            return failed(ssh, "");
        }
    }

    private Outcome converse(Process ssh) throws IOException {
        for (String line = readLine(ssh); line != null; line = readLine(ssh)) {
            if (line.equals(StartScript.NEED)) {
                LOG.info("{}: carries the program over, {} bytes", host.address(), program.archive().length);
                send(ssh, program.archive());
            } else if (line.startsWith(StartScript.READY)) {
                synchronized (this) {
                    if (givenUp == null) {
                        process = null;
                        String[] addresses =
                                line.substring(StartScript.READY.length()).split(" ", -1);
                        return new Outcome(this, ssh, addresses[0], addresses.length > 1 ? addresses[1] : "");
                    }
                }
            } else if (line.startsWith(StartScript.FAILED)) {
                return failed(ssh, line.substring(StartScript.FAILED.length()));
            } else if (!line.isBlank()) {
                // a login shell may be talkative
                console.line(host.address() + ": " + line);
            }
        }
        return failed(ssh, "");
    }

    /** @param told by the host, or empty if ssh has to say why */
    private Outcome failed(Process ssh, String told) {
        try {
            ssh.getOutputStream().close();
        } catch (IOException e) {
            LOG.debug("{} has ended", host.address(), e);
        }
        try {
            if (!ssh.waitFor(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS)) {
                ProcessTree.kill(ssh);
            }
        } catch (InterruptedException e) {
            ProcessTree.kill(ssh);
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            if (givenUp != null) {
                return Outcome.none(this, givenUp);
            }
        }
        if (!told.isEmpty()) {
            return Outcome.none(this, told);
        }
        String words = lastWords();
        return Outcome.none(this, words.isEmpty() ? "ssh ended without a word" : words);
    }

    @Override
    public String lastWords() {
        ErrorPump pump = errors;
        return pump == null ? "" : pump.lastWords();
    }

    @Override
    public void giveUpIfSilent(Duration limit) {
        synchronized (this) {
            if (process == null || System.nanoTime() - lastNanos < limit.toNanos()) {
                return;
            }
        }
        giveUp("nothing was heard from its node for " + limit.toSeconds() + " s");
    }

    @Override
    public synchronized void giveUp(String why) {
        givenUp = why;
        if (process != null) {
            ProcessTree.kill(process);
        }
    }

    private synchronized void heard() {
        lastNanos = System.nanoTime();
    }

    private void send(Process ssh, byte[] bytes) throws IOException {
        OutputStream input = ssh.getOutputStream();
        try {
            for (int from = 0; from < bytes.length; from += CHUNK_BYTES) {
                input.write(bytes, from, Math.min(CHUNK_BYTES, bytes.length - from));
                input.flush();
                heard();
            }
        } catch (IOException e) {
            // its earlier output says why
            LOG.debug("{} reads no more", host.address(), e);
        }
    }

    /** A line, and not a byte of what comes behind it; null at the end. */
    private @Nullable String readLine(Process ssh) throws IOException {
        InputStream output = ssh.getInputStream();
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next = output.read();
        if (next < 0) {
            return null;
        }
        while (next >= 0 && next != '\n' && line.size() < LONGEST_LINE) {
            line.write(next);
            next = output.read();
        }
        return line.toString(StandardCharsets.UTF_8);
    }
}
