package org.robber.cli.log;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.Locale;
import org.robber.cli.progress.StatusConsole;
import org.slf4j.Logger;

/** Writes log events as lines; a stack trace only if more than the usual was asked for. */
final class LineAppender extends AppenderBase<ILoggingEvent> {

    @Override
    protected void append(ILoggingEvent event) {
        StringBuilder line = new StringBuilder("robber-cli: ")
                .append(event.getLevel().toString().toLowerCase(Locale.ROOT))
                .append(": ")
                .append(event.getFormattedMessage());
        if (event.getThrowableProxy() != null) {
            if (verbose()) {
                line.append('\n')
                        .append(ThrowableProxyUtil.asString(event.getThrowableProxy())
                                .stripTrailing());
            } else {
                line.append(": ").append(event.getThrowableProxy().getMessage());
            }
        }
        StatusConsole.standardError().line(line.toString());
    }

    private boolean verbose() {
        return ((LoggerContext) getContext()).getLogger(Logger.ROOT_LOGGER_NAME).isInfoEnabled();
    }
}
