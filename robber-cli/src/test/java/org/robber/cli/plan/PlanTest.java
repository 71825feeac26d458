package org.robber.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.ChannelOptions;
import org.robber.LocalJob;
import org.robber.Robber;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.SendLimits;
import org.robber.cli.destination.DestinationInfo;
import org.robber.cli.filter.Selection;
import org.robber.cli.node.RecordedOutput;
import org.robber.cli.replicate.RecordedJob;
import org.robber.cli.report.ReportSchema;
import org.robber.cli.request.BandwidthFile;
import org.robber.cli.request.LossPolicy;
import org.robber.cli.request.LossPolicy.OnFailure;
import org.robber.cli.request.MinSuccess;
import org.robber.cli.request.PlanTerms;
import org.robber.cli.request.ReceivingLimits;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.Requests;

/** Plans of jobs whose nodes are there, and what they expect. */
class PlanTest {
    private static final int MB = 1_000_000;
    private static final String NETWORK = """
        {"name": "sites", "root": "A/0",
         "clusters": [{"name": "A", "nodes": 1}, {"name": "B", "nodes": 1}, {"name": "other", "nodes": 1}],
         "links": {"A-B": {"mbps": 4, "delay_ms": 5}, "B-A": {"mbps": 4}, "A-other": {"mbps": 1}}}
        """;

    @TempDir
    Path folder;

    private final RecordedOutput output = new RecordedOutput();
    private ReceivingLimits limits = ReceivingLimits.none();
    private LossPolicy losses = new LossPolicy(OnFailure.CONTINUE, null);

    @BeforeEach
    void makeSource() throws IOException {
        Files.createDirectory(folder.resolve("source"));
        Files.write(folder.resolve("source/data"), new byte[8 * MB]);
        Files.write(folder.resolve("source/more"), new byte[10]);
    }

    @Test
    void theSimulatorSaysHowLongItTakes() {
        assertThat(plan(new PlanTerms(SendLimits.none(), new BandwidthFile("sites.json", NETWORK)), false))
                .isZero();
        String text = output.text();
        assertThat(text)
                .contains(
                        "nodes:    4 (A: 2, B: 2)",
                        "7.6 MiB in 2 files, 3 entries",
                        "to send:  7.6 MiB to each of 4 nodes",
                        "rates: sites.json",
                        "link:     A to B: 7.6 MiB, 1.00 copies");
        // 8 MB over 4 MB/s
        assertThat(expectedSeconds(text)).isCloseTo(2.1, within(0.3));
    }

    @Test
    void limitsOfNodesCount() {
        PlanTerms terms = new PlanTerms(new SendLimits(0, MB), new BandwidthFile("sites.json", NETWORK));
        assertThat(plan(terms, false)).isZero();
        // Two nodes send 1 MB/s each.
        assertThat(expectedSeconds(output.text())).isCloseTo(4.2, within(0.8));
    }

    @Test
    void aFileThatKnowsAnotherNetworkIsNamed() {
        BandwidthFile other = new BandwidthFile(
                "other.json",
                NETWORK.replace("\"B\"", "\"C\"").replace("A-B", "A-C").replace("B-A", "C-A"));
        assertThat(plan(new PlanTerms(SendLimits.none(), other), false)).isZero();
        assertThat(output.lines).contains("expected: unknown, since other.json has no cluster B");
    }

    @Test
    void programsGetTheSame() throws IOException {
        assertThat(plan(new PlanTerms(SendLimits.none(), null), true)).isZero();
        String json = output.text();
        assertThat(ReportSchema.problems(json, "plan.schema.json")).isEmpty();
        assertThat(json)
                .contains(
                        "\"bytes_to_send\" : 32000040",
                        "\"by\" : \"simulator\"",
                        "assumed: 1 Gbit/s",
                        "\"status\" : \"ready\"");
        assertThat(ReportSchema.problems(
                        json.replace("\"bound\"", "\"x\"").replace("\"files\"", "\"f\""), "plan.schema.json"))
                .isNotEmpty();
    }

    @Test
    void whatStandsInTheWayIsNamed() throws IOException {
        assertThat(plan("missing/{node}", new PlanTerms(SendLimits.none(), null), true))
                .isEqualTo(6);
        String json = output.text();
        assertThat(ReportSchema.problems(json, "plan.schema.json")).isEmpty();
        assertThat(json).contains("there is no folder", "\"status\" : \"problems\"", "\"exit_code\" : 6");
    }

    @Test
    void aJobThatGoesOnWithoutANodeIsPartial() throws IOException {
        Files.createDirectories(folder.resolve("places/A-0"));
        Files.createDirectories(folder.resolve("places/A-1"));
        Files.createDirectories(folder.resolve("places/B-0"));
        assertThat(plan("places/{node}/new", new PlanTerms(SendLimits.none(), null), true))
                .isEqualTo(23);
        assertThat(output.text()).contains("B-1 on ", "\"exit_code\" : 23");
    }

    @Test
    void theJobEndsIfTooFewNodesAreLeft() throws IOException {
        Path here = Files.createDirectories(folder.resolve("places/A-0"));
        PlanTerms terms = new PlanTerms(SendLimits.none(), null);
        assertThat(plan("places/{node}/new", terms, false))
                .as("no other node is left")
                .isEqualTo(6);
        Files.createDirectories(folder.resolve("places/B-1"));
        losses = new LossPolicy(OnFailure.CONTINUE, MinSuccess.parse("3"));
        assertThat(plan("places/{node}/new", terms, false)).isEqualTo(5);
        losses = new LossPolicy(OnFailure.ABORT, null);
        assertThat(plan("places/{node}/new", terms, false)).isEqualTo(6);
        losses = new LossPolicy(OnFailure.CONTINUE, null);
        Files.delete(here);
        assertThat(plan("places/{node}/new", terms, false)).as("rank 0").isEqualTo(6);
    }

    @Test
    void whatIsInTheWayOfTheCopyIsNamed() throws IOException {
        Files.writeString(folder.resolve("A-0"), "a file");
        Files.createDirectories(folder.resolve("B-1/source/data/child"));
        assertThat(plan("{node}/", new PlanTerms(SendLimits.none(), null), false))
                .isEqualTo(6);
        assertThat(output.text())
                .contains(
                        "A-0/ is a file, not a directory",
                        "B-1/source/data is a directory with contents where a file or link must go");
        assertThat(folder.resolve("A-1")).as("nothing is written").doesNotExist();

        assertThat(planHere(folder.resolve("source").toString(), "", false)).isEqualTo(6);
        assertThat(output.text()).contains("A-0/ is a file");
    }

    /** As in the job. */
    @Test
    void filesThatAreInPlaceNeedNoRoom() throws IOException {
        limits = new ReceivingLimits(List.of(), Long.MAX_VALUE, Long.MAX_VALUE / 2);
        PlanTerms terms = new PlanTerms(SendLimits.none(), null);
        assertThat(plan("{node}/", terms, false)).isEqualTo(6);
        assertThat(output.text()).contains(" needed by 4 nodes, 0 B free");
        assertThat(planWithoutRoom()).isEqualTo(6);

        for (String node : List.of("A-0", "A-1", "B-0", "B-1")) {
            Path copy = Files.createDirectories(folder.resolve(node).resolve("source"));
            Files.write(copy.resolve("data"), new byte[8 * MB]);
            Files.write(copy.resolve("more"), new byte[10]);
        }
        assertThat(plan("{node}/", terms, false)).isZero();
        assertThat(planWithoutRoom()).isZero();

        Files.delete(folder.resolve("B-1/source/more"));
        assertThat(plan("{node}/", terms, false)).isEqualTo(23);
        assertThat(output.text()).contains("10 B needed by B-1, 0 B free");
    }

    private int planWithoutRoom() {
        return planHere(folder.resolve("source").toString(), "", false, Long.MAX_VALUE / 2);
    }

    /** A plan without nodes finds what the nodes of the job would find. */
    @Test
    void aPlanOfThisMachineRefusesADestinationInsideTheSource() {
        assertThatThrownBy(() -> planHere(folder.resolve("source").toString(), "source", false))
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.USAGE))
                .hasMessageContaining(" on here, inside the source");
    }

    @Test
    void aPlanOfThisMachineNamesTheNodeThatFails() {
        assertThatThrownBy(() -> planHere(folder.resolve("missing").toString(), "copies", false))
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.ranks()).containsExactly(0))
                .hasMessageStartingWith("node A-0 (rank 0, host here) failed during 'scan': ");
    }

    @Test
    void aPlanOfThisMachineTakesTheSourceForTheCopyOfItsNode() throws IOException {
        Path place = Files.createDirectories(folder.resolve("copies/A-0"));
        Path source = Files.move(folder.resolve("source"), place.resolve("source"));
        assertThat(planHere(source.toString(), "copies", true)).isZero();
        assertThat(output.text())
                .contains(": has the source", "to each of 1 node,")
                .doesNotContain("delete:");
    }

    /** Of two nodes whose copies would be in this folder. */
    private int planHere(String source, String copies, boolean deletes) {
        return planHere(source, copies, deletes, 0);
    }

    private int planHere(String source, String copies, boolean deletes, long keptBytes) {
        LocalPlan plan = new LocalPlan();
        for (String node : List.of("A-0", "A-1")) {
            plan.add(
                    node,
                    "A",
                    folder.resolve(copies).resolve(node) + "/",
                    DestinationInfo.of("here", folder.resolve(copies).resolve(node))
                            .keeping(keptBytes));
        }
        PlanTerms terms = new PlanTerms(SendLimits.none(), null);
        ReplicateRequest request = Requests.of(source, folder + "/" + copies + "/{node}", ChannelOptions.defaults())
                .selection(new Selection(List.of(), "", deletes))
                .plan(terms)
                .request();
        return plan.print(request, output);
    }

    private static double expectedSeconds(String text) {
        String after = text.substring(text.indexOf("expected: ") + "expected: ".length());
        return Double.parseDouble(after.substring(0, after.indexOf(' ')));
    }

    private int plan(PlanTerms terms, boolean json) {
        return plan("{node}", terms, json);
    }

    private int plan(String place, @Nullable PlanTerms terms, boolean json) {
        Requests requests =
                Requests.of(folder.resolve("source").toString(), folder + "/" + place, ChannelOptions.defaults());
        ReplicateRequest request = (json ? requests.json(null) : requests)
                .losses(losses)
                .limits(limits)
                .plan(terms)
                .request();
        List<Integer> codes = new ArrayList<>();
        try (LocalJob job = Robber.local(2, 2)) {
            job.run(world -> {
                int code = RecordedJob.replicate(request, world, output);
                synchronized (codes) {
                    codes.add(code);
                }
            });
        }
        assertThat(codes).hasSize(4).containsOnly(codes.get(0));
        return codes.get(0);
    }
}
