package org.robber.cli.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.robber.cli.progress.StatusConsole;
import org.slf4j.LoggerFactory;

/**
 * Configures logback in code: reading a file of configuration would cost every short job more than its log is worth. The
 * log goes to standard error; standard output is for results.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        begin(context);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Configures it. */
    static void begin(LoggerContext context) {
        LineAppender appender = new LineAppender(StatusConsole.standardError());
        appender.setContext(context);
        appender.setName("stderr");
        appender.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(appender);
        root.setLevel(Level.WARN);
    }

    /** How much the user wants to see. */
    public enum Detail {
        /** Errors alone. */
        QUIET,
        /** Warnings too. */
        NORMAL,
        /** What Robber does, and stack traces. */
        VERBOSE
    }

    /** Sets how much is logged from now on. */
    public static void show(Detail detail) {
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Logger robber = (Logger) LoggerFactory.getLogger("org.robber");
        switch (detail) {
            case QUIET -> root.setLevel(Level.ERROR);
            case NORMAL -> root.setLevel(Level.WARN);
            case VERBOSE -> {
                root.setLevel(Level.INFO);
                robber.setLevel(Level.DEBUG);
            }
        }
    }
}
