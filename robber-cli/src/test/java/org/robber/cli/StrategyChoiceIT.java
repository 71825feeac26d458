package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Strategies that are refused: plans without the bandwidths that they need, and nodes with different strategies. */
@Execution(ExecutionMode.CONCURRENT)
class StrategyChoiceIT {

    @TempDir
    Path folder;

    @BeforeEach
    void makeSource() throws IOException {
        Files.writeString(folder.resolve("file"), "some data");
    }

    @Test
    void bandwidthsThatMissAPairEndWithTwoAndThePair() throws Exception {
        bandwidths("");
        try (Launched run = local("--strategy=balanced", "--bandwidths=bandwidths.json")) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
            assertThat(run.err())
                    .contains("bandwidths.json: no link B-A: add it to links, with mbps 0 where nothing passes");
        }
        assertThat(folder.resolve("copies")).doesNotExist();
    }

    @Test
    void programsWithoutASolutionEndWithTwoAndTheReason() throws Exception {
        bandwidths(", \"B-A\": {\"mbps\": 10, \"delay_ms\": 10}", ", \"access_down\": 0");
        try (Launched run = local("--strategy=balanced", "--bandwidths=bandwidths.json")) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
            assertThat(run.err())
                    .contains("strategy balanced: by the bandwidths at the start, no tree carries anything: cluster B"
                            + " receives nothing");
        }
    }

    @Test
    void nodesThatDifferEndWithFiveAndBothStrategies() throws Exception {
        String uri = "robber://test@127.0.0.1:" + FreePort.find();
        try (Launched robber = node(0, uri, "robber");
                Launched chain = node(1, uri, "chain")) {
            for (Launched node : new Launched[] {robber, chain}) {
                assertThat(node.exitCode()).as(node.err()).isEqualTo(5);
                assertThat(node.err())
                        .contains(
                                "robber-cli: error: ",
                                "rank 1",
                                "--strategy=robber ",
                                "--strategy=chain ",
                                "values of --strategy differ");
            }
        }
    }

    private Launched node(int rank, String uri, String strategy) throws IOException {
        return Launched.start(
                folder,
                Map.of(
                        "ROBBER_RANK",
                        Integer.toString(rank),
                        "ROBBER_SIZE",
                        "2",
                        "ROBBER_URI",
                        uri,
                        "ROBBER_STRATEGY",
                        strategy),
                "replicate",
                "--progress=none",
                "file",
                "copy-{rank}");
    }

    private Launched local(String... options) throws IOException {
        String[] arguments = new String[options.length + 5];
        arguments[0] = "replicate";
        arguments[1] = "--local=2x1";
        arguments[2] = "--progress=none";
        System.arraycopy(options, 0, arguments, 3, options.length);
        arguments[options.length + 3] = "file";
        arguments[options.length + 4] = "copies";
        return Launched.start(folder, Map.of(), arguments);
    }

    private void bandwidths(String otherLink, String... limits) throws IOException {
        Files.writeString(folder.resolve("bandwidths.json"), String.format("""
            {"name": "two", "root": "A/0",
             "clusters": [{"name": "A", "nodes": 1}, {"name": "B", "nodes": 1%s}],
             "links": {"A-B": {"mbps": 10, "delay_ms": 10}%s}}
            """, String.join("", limits), otherLink));
    }
}
