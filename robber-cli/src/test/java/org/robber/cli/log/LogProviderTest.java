package org.robber.cli.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.robber.cli.progress.StatusConsole;

class LogProviderTest {

    @Test
    void logsWarningsToStandardErrorAndNothingElse() {
        LogProvider provider = new LogProvider();
        provider.initialize();
        Logger root = (Logger) provider.getLoggerFactory().getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

        assertThat(root.getLevel()).isEqualTo(Level.WARN);
        assertThat(root.getAppender("stderr")).isInstanceOf(LineAppender.class);
        assertThat(root.iteratorForAppenders()).toIterable().hasSize(1);
        assertThat(root.getLoggerContext().isStarted()).isTrue();
        assertThat(provider.getMDCAdapter()).isSameAs(root.getLoggerContext().getMDCAdapter());
        assertThat(provider.getMarkerFactory().getMarker("a").getName()).isEqualTo("a");
    }

    @Test
    void whatPeersTellStaysInTheLine() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        LoggerContext context = new LoggerContext();
        LineAppender appender = new LineAppender(new StatusConsole(new PrintStream(said, true, UTF_8)));
        appender.setContext(context);
        appender.start();
        Logger logger = context.getLogger(Logger.ROOT_LOGGER_NAME);
        logger.addAppender(appender);
        logger.setLevel(Level.WARN);

        logger.warn("refused: job '{}'", "a\nrobber-cli: error: b\u009b2J", new IOException("c\nd"));
        assertThat(said.toString(UTF_8))
                .isEqualTo("robber-cli: warn: refused: job 'a\\nrobber-cli: error: b\\u009b2J': c\\nd\n");

        said.reset();
        logger.setLevel(Level.INFO);
        logger.warn("failed", new IOException("c\nrobber-cli: error: d"));
        assertThat(said.toString(UTF_8))
                .startsWith(
                        "robber-cli: warn: failed\n    java.io.IOException: c\n    robber-cli: error: d\n    \tat org.");
    }
}
