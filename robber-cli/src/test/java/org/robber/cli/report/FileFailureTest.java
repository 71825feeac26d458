package org.robber.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

class FileFailureTest {

    @Test
    void namesNoClassOfAFailureOfInputOrOutput() {
        assertThat(FileFailure.text((Exception) new IOException("Broken pipe"))).isEqualTo("Broken pipe");
        assertThat(FileFailure.text((Exception) new FileSystemException("/a", null, "Read-only file system")))
                .isEqualTo("/a: Read-only file system");
        assertThat(FileFailure.text((Exception) new AccessDeniedException("/a")))
                .isEqualTo("/a: permission denied");
        assertThat(FileFailure.text((Exception) new MalformedInputException(1))).isEqualTo("it is not a text in UTF-8");
    }

    @Test
    void namesTheClassOfADefect() {
        assertThat(FileFailure.text(new IllegalStateException("odd"))).contains("IllegalStateException", "odd");
    }
}
