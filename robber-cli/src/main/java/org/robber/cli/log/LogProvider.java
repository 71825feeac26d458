package org.robber.cli.log;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Logback as {@link LogSetup} configures it. SLF4J and logback find each other and their configuration by searching all jars. That
 * takes a tenth of the processor time of a short job.
 */
public final class LogProvider implements SLF4JServiceProvider {

    private final LoggerContext context = new LoggerContext();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final LogbackMDCAdapter diagnostics = new LogbackMDCAdapter();

    /** Has this process log by this class; to be called before anything else. */
    public static void use() {
        System.setProperty("slf4j.provider", LogProvider.class.getName());
        // it would say which provider it was told
        System.setProperty("slf4j.internal.verbosity", "WARN");
    }

    @Override
    public void initialize() {
        context.setName("default");
        context.setMDCAdapter(diagnostics);
        LogSetup.begin(context);
        context.start();
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return context;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return diagnostics;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }
}
