package org.robber.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.Test;

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
}
