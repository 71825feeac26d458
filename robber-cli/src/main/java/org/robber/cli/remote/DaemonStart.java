package org.robber.cli.remote;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.robber.cli.hosts.ListedHost;
import org.robber.cli.progress.PrefixedLines;
import org.robber.cli.serve.Frames;
import org.robber.cli.serve.Frames.Frame;
import org.robber.cli.serve.StartRequest;
import org.robber.cli.serve.Started;
import org.robber.transport.service.ServiceConnection;

/** The start of a node through the daemon of its host. */
final class DaemonStart implements HostStart {
    /** How long a daemon may take to answer, once it has let this side in. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

    private final ListedHost host;
    private final StartRequest request;
    private final Dial dial;
    private final PrefixedLines errors;

    private @Nullable ServiceConnection connection;
    private @Nullable String givenUp;

    /** Makes the connection with the daemon. */
    interface Dial {
        ServiceConnection connect() throws IOException, InterruptedException;
    }

    /** @param errors gets the standard error of the node */
    DaemonStart(ListedHost host, StartRequest request, Dial dial, PrefixedLines errors) {
        this.host = host;
        this.request = request;
        this.dial = dial;
        this.errors = errors;
    }

    @Override
    public ListedHost host() {
        return host;
    }

    @Override
    public Outcome run() {
        try {
            ServiceConnection made = dial.connect();
            synchronized (this) {
                if (givenUp != null) {
                    made.close();
                    return Outcome.none(this, givenUp);
                }
                connection = made;
            }
            return ask(made);
        } catch (IOException e) {
            return failed(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed("interrupted");
        }
    }

    private Outcome ask(ServiceConnection made) throws IOException {
        made.limitReads(ANSWER_LIMIT);
        Frames frames = new Frames(made.input(), made.output());
        frames.write(Frames.Kind.START, request.toBytes());
        Frame answer = frames.read();
        if (answer != null && answer.kind() == Frames.Kind.READY) {
            Started started = Started.of(answer.bytes());
            synchronized (this) {
                if (givenUp == null) {
                    connection = null;
                    made.waitForReads();
                    return new Outcome(
                            this,
                            ServedProcess.over(made, frames, started.processId(), errors),
                            started.operator(),
                            "");
                }
            }
        }
        return failed(
                answer == null
                        ? "its daemon closed the connection"
                        : answer.kind() == Frames.Kind.REFUSED
                                ? answer.text()
                                : "its daemon sent no answer that this version knows");
    }

    private synchronized Outcome failed(String why) {
        if (connection != null) {
            connection.close();
        }
        return Outcome.none(this, givenUp == null ? why : givenUp);
    }

    /** Its waits are limited anyway. */
    @Override
    public void giveUpIfSilent(Duration limit) {}

    @Override
    public synchronized void giveUp(String why) {
        givenUp = why;
        if (connection != null) {
            connection.close();
        }
    }

    @Override
    public String lastWords() {
        return errors.last();
    }
}
