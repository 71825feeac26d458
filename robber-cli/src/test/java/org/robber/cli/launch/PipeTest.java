package org.robber.cli.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.JobControl.JobProgress;
import org.robber.cli.node.NodeOutput;

class PipeTest {

    private final List<String> calls = new ArrayList<>();

    @Test
    void whatIsSaidAtOneEndIsHeardAtTheOther() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PipeOutput pipe = new PipeOutput(new PrintStream(bytes, false, UTF_8));
        pipe.listening(4711);
        pipe.joined(4);
        pipe.started(5_000_000_000L);
        pipe.progress(new JobProgress(1, 2, 3, 4, List.of(5)));
        pipe.lost(3);
        pipe.result("  a line with  blanks ");
        pipe.result("");
        pipe.result("{\n}");
        pipe.error(6, "the disk\nis full");

        bytes.toString(UTF_8)
                .lines()
                .forEach(line ->
                        assertThat(PipeReader.read(line, new Recorder())).isTrue());

        assertThat(calls)
                .containsExactly(
                        "listening 4711",
                        "joined 4",
                        "started 5000000000",
                        "progress 1/2 3/4",
                        "lost 3",
                        "result   a line with  blanks ",
                        "result ",
                        "result {",
                        "result }",
                        "error 6 the disk is full");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "listening",
                "listening x",
                "joined x",
                "started x",
                "progress 1 2 3",
                "progress a b c d",
                "lost x",
                "error 6",
                "error x y",
                "hello world"
            })
    void otherLinesAreNotUnderstood(String line) {
        assertThat(PipeReader.read(line, new Recorder())).isFalse();
        assertThat(calls).isEmpty();
    }

    private final class Recorder implements NodeOutput {
        @Override
        public void listening(int port) {
            calls.add("listening " + port);
        }

        @Override
        public void joined(int nodes) {
            calls.add("joined " + nodes);
        }

        @Override
        public void started(long bytesTotal) {
            calls.add("started " + bytesTotal);
        }

        @Override
        public void progress(JobProgress progress) {
            calls.add("progress " + progress.bytesDone() + "/" + progress.bytesTotal() + " " + progress.nodesDone()
                    + "/" + progress.nodes());
        }

        @Override
        public void lost(int rank) {
            calls.add("lost " + rank);
        }

        @Override
        public void result(String line) {
            calls.add("result " + line);
        }

        @Override
        public void error(int exitCode, String message) {
            calls.add("error " + exitCode + " " + message);
        }
    }
}
