package org.robber.cli.node;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.transport.storage.record.CopyRecords;
import org.slf4j.LoggerFactory;

class CopyRecordsWarningTest {
    @TempDir
    Path folder;

    /** The copy is complete, but the user cannot verify it. */
    @Test
    void aRecordThatCannotBeKeptIsWarnedOf() throws Exception {
        Path stateFolder = Files.createFile(folder.resolve("state"));
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(CopyRecords.class);
        // Other tests of this process run quiet commands, which raise the level of all loggers.
        logger.setLevel(Level.WARN);
        logger.addAppender(log);
        try {
            assertThat(new CopyRecords(stateFolder, "host").prepare(folder, "0123"))
                    .isNull();
        } finally {
            logger.detachAppender(log);
            logger.setLevel(null);
        }
        assertThat(log.list).anySatisfy(warning -> {
            assertThat(warning.getLevel()).isEqualTo(Level.WARN);
            assertThat(warning.getFormattedMessage())
                    .contains("no record of the copy in " + folder, stateFolder + ": ", "--state-dir");
        });
    }
}
