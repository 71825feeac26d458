package org.robber.cli.log;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.robber.cli.progress.StatusConsole;
import org.slf4j.Logger;

/** Writes log events as lines; a stack trace only if more than the usual was asked for. */
final class LineAppender extends AppenderBase<ILoggingEvent> {
    private static final String INDENT = "    ";

    private final StatusConsole console;

    LineAppender(StatusConsole console) {
        this.console = console;
    }

    @Override
    protected void append(ILoggingEvent event) {
        String line = "robber-cli: " + event.getLevel().toString().toLowerCase(Locale.ROOT) + ": "
                + event.getFormattedMessage();
        IThrowableProxy thrown = event.getThrowableProxy();
        List<String> lines = new ArrayList<>();
        lines.add(thrown == null || verbose() ? line : line + ": " + thrown.getMessage());
        if (thrown != null && verbose()) {
            // Peers have a part in messages: behind a line break in them nothing may look like a line of this process.
            ThrowableProxyUtil.asString(thrown).lines().forEach(one -> lines.add(INDENT + one));
        }
        console.lines(lines);
    }

    private boolean verbose() {
        return ((LoggerContext) getContext()).getLogger(Logger.ROOT_LOGGER_NAME).isInfoEnabled();
    }
}
