package org.robber.cli.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.robber.Communicator;
import org.robber.JobControl;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.FakeWorld;
import org.robber.cli.filter.Selection;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.report.NodeFailure;
import org.robber.cli.report.NodeResult;
import org.robber.cli.request.LossPolicy;
import org.robber.cli.request.LossPolicy.OnFailure;
import org.robber.cli.request.MinSuccess;
import org.robber.cli.request.SourceTerms;

/** What rank 0 decides when nodes are lost, and when the deadline passes. */
class LossTrackerTest {
    private static final long BYTES = 100;
    private static final Duration DEADLINE = Duration.ofSeconds(9);

    private final List<String> decisions = new ArrayList<>();
    private final Map<Integer, Long> bytesDone = new TreeMap<>();
    private BiConsumer<Integer, RobberException> losses = (rank, why) -> {};
    private String phase = "transfer";
    private boolean joinersWaitedFor;
    private List<Integer> absent = List.of();

    @Test
    void thoseThatAreLateAreGivenUpIfOthersAreDone() {
        LossTracker lossTracker = transferring(new LossPolicy(LossPolicy.OnFailure.CONTINUE, null));
        bytesDone.putAll(Map.of(1, BYTES, 2, 99L, 3, BYTES));

        lossTracker.deadlinePassed(DEADLINE);

        assertThat(decisions)
                .containsExactly(
                        "go on",
                        "expel [2] DEADLINE: the deadline of 9 s has passed during 'transfer'; not done: node B-0"
                                + " (rank 2, host host2)");
    }

    @Test
    void ifNobodyIsDoneTheJobEnds() {
        LossTracker lossTracker = transferring(new LossPolicy(LossPolicy.OnFailure.CONTINUE, null));
        bytesDone.putAll(Map.of(1, 1L, 2, 99L, 3, 0L));

        lossTracker.deadlinePassed(DEADLINE);

        assertThat(decisions).hasSize(2).last().asString().startsWith("fail [1, 2, 3] DEADLINE: the deadline of 9 s");
    }

    @Test
    void ifTooFewAreDoneTheJobEnds() {
        LossTracker lossTracker = transferring(new LossPolicy(OnFailure.CONTINUE, MinSuccess.parse("3")));
        bytesDone.putAll(Map.of(1, BYTES, 2, 99L, 3, 0L));

        lossTracker.deadlinePassed(DEADLINE);

        assertThat(decisions).hasSize(2).last().asString().startsWith("fail [2, 3] DEADLINE: ");
    }

    @Test
    void beforeTheTransferNobodyIsDone() {
        LossTracker lossTracker = lossTracker(new LossPolicy(LossPolicy.OnFailure.CONTINUE, null));
        phase = "manifest";
        bytesDone.putAll(Map.of(1, BYTES, 2, BYTES, 3, BYTES));

        lossTracker.deadlinePassed(DEADLINE);

        assertThat(decisions)
                .containsExactly("go on", "fail [] DEADLINE: the deadline of 9 s has passed during 'manifest'");
    }

    /** It has not got the parts of others, and the others need its own. */
    @Test
    void aLateRootOfSeveralEndsTheJob() {
        LossTracker lossTracker = lossTracker(new LossPolicy(LossPolicy.OnFailure.CONTINUE, null), 0, 2);
        lossTracker.transferring(BYTES, 0);
        bytesDone.putAll(Map.of(0, BYTES, 1, BYTES, 2, 99L, 3, BYTES));

        lossTracker.deadlinePassed(DEADLINE);

        assertThat(decisions).hasSize(2).last().asString().startsWith("fail [2] DEADLINE: ");
    }

    @Test
    void whoWantsAllOrNothingGetsNothing() {
        LossTracker lossTracker = transferring(new LossPolicy(OnFailure.ABORT, null));
        bytesDone.putAll(Map.of(1, BYTES, 2, 99L, 3, BYTES));

        lossTracker.deadlinePassed(DEADLINE);

        assertThat(decisions).hasSize(1).last().asString().startsWith("fail [2] DEADLINE: ");
    }

    @Test
    void ifOnlyJoinersWereWaitedForTheJobEndsWell() {
        joinersWaitedFor = true;
        LossTracker lossTracker = transferring(new LossPolicy(OnFailure.ABORT, null));
        bytesDone.putAll(Map.of(1, BYTES, 2, BYTES, 3, BYTES));

        lossTracker.deadlinePassed(DEADLINE);

        assertThat(decisions)
                .containsExactly("drop joiners DEADLINE: the deadline of 9 s has passed during 'transfer'");
    }

    @Test
    void theLostAreKeptWithPhaseAndBytesAndTheLastOneEndsTheJob() {
        LossTracker lossTracker = transferring(new LossPolicy(LossPolicy.OnFailure.CONTINUE, null));
        bytesDone.putAll(Map.of(1, 30L, 2, 60L, 3, 90L));
        losses.accept(1, loss(Reason.NETWORK, 1, "multicast 1"));
        losses.accept(1, loss(Reason.INTERNAL, 1, "told again"));
        losses.accept(3, loss(Reason.DESTINATION, 3, "prepare"));
        assertThat(decisions).containsExactly("go on");

        losses.accept(2, loss(Reason.NETWORK, 2, "multicast 1"));

        assertThat(decisions).hasSize(2).last().asString().startsWith("fail [1, 2, 3] NETWORK: all nodes but the root");
        assertThat(lossTracker.lost())
                .containsOnlyKeys(1, 2, 3)
                .containsEntry(1, NodeResult.lost(30, new NodeFailure(Reason.NETWORK, "transfer", "lost 1")))
                .containsEntry(3, NodeResult.lost(90, new NodeFailure(Reason.DESTINATION, "prepare", "lost 3")));
    }

    @Test
    void whoIsLostWhileCopiesAreShownIsInDoubtAndEndsNothing() {
        LossTracker lossTracker = transferring(new LossPolicy(OnFailure.CONTINUE, MinSuccess.parse("100%")));
        lossTracker.committing();
        phase = "commit";
        losses.accept(2, loss(Reason.NETWORK, 2, "last barrier"));

        assertThat(decisions).containsExactly("go on");
        assertThat(lossTracker.lost().get(2).failure().message()).contains("whether its copy is in place is not known");
    }

    @Test
    void beforeTheTransferThoseAreNamedThatOthersWaitFor() {
        LossTracker lossTracker = lossTracker(new LossPolicy(LossPolicy.OnFailure.CONTINUE, null));
        phase = "prepare";
        absent = List.of(3);

        lossTracker.deadlinePassed(DEADLINE);

        assertThat(decisions)
                .containsExactly(
                        "go on",
                        "fail [3] DEADLINE: the deadline of 9 s has passed during 'prepare'; not done: node B-1 (rank"
                                + " 3, host host3)");
    }

    @Test
    void whoHasNotShownItsCopyInTimeIsWaitedForNoLonger() {
        LossTracker lossTracker = transferring(new LossPolicy(OnFailure.CONTINUE, MinSuccess.parse("100%")));
        lossTracker.committing();
        phase = "commit";
        absent = List.of(1, 2);
        bytesDone.putAll(Map.of(1, BYTES, 2, BYTES, 3, BYTES));

        lossTracker.overdue(DEADLINE);

        assertThat(decisions).hasSize(2).last().asString().startsWith("expel [1, 2] DEADLINE: the deadline of 9 s");
    }

    /** Of a stream, no size is known. */
    @ParameterizedTest
    @EnumSource(OnFailure.class)
    void whileCopiesAreShownTheDeadlineEndsNothing(OnFailure onFailure) {
        LossTracker lossTracker = lossTracker(new LossPolicy(onFailure, null));
        lossTracker.committing();
        phase = "commit";
        int before = decisions.size();

        lossTracker.deadlinePassed(DEADLINE);

        assertThat(decisions).hasSize(before);
    }

    @Test
    void theRootItselfMayTakeItsTime() {
        LossTracker lossTracker = transferring(new LossPolicy(LossPolicy.OnFailure.CONTINUE, null));
        lossTracker.committing();
        lossTracker.overdue(DEADLINE);
        absent = List.of(0);
        lossTracker.overdue(DEADLINE);
        assertThat(decisions).containsExactly("go on");

        absent = List.of(0, 2);
        lossTracker.overdue(DEADLINE);
        assertThat(decisions).hasSize(2).last().asString().startsWith("expel [2] DEADLINE: the deadline of 9 s");
    }

    @Test
    void whoIsWaitedForBeforeCopiesAreShownIsLeftOutIfEnoughAreLeft() {
        LossTracker lossTracker = transferring(new LossPolicy(LossPolicy.OnFailure.CONTINUE, null));
        absent = List.of(2);

        lossTracker.overdue(DEADLINE);

        assertThat(decisions).hasSize(2).last().asString().startsWith("expel [2] DEADLINE: ");
    }

    @Test
    void whoIsWaitedForBeforeCopiesAreShownEndsTheJobIfTooFewAreLeft() {
        LossTracker lossTracker = transferring(new LossPolicy(OnFailure.CONTINUE, MinSuccess.parse("4")));
        absent = List.of(2);

        lossTracker.overdue(DEADLINE);

        assertThat(decisions).hasSize(2).last().asString().startsWith("fail [2] DEADLINE: ");
    }

    @Test
    void nothingGoesOnWithoutTheSource() {
        lossTracker(new LossPolicy(OnFailure.CONTINUE, null), 2).transferring(BYTES, 0);

        losses.accept(3, loss(Reason.DESTINATION, 3, "transfer"));
        assertThat(decisions).containsExactly("go on");
        losses.accept(2, loss(Reason.NETWORK, 2, "transfer"));
        assertThat(decisions)
                .last()
                .isEqualTo("fail [2] NETWORK: node B-0 (rank 2, host host2), which has the source, is lost: lost 2;"
                        + " run the same command again");
    }

    /** Rank 0 cannot be given up like others. */
    @Test
    void ifRankZeroIsLateTheJobEnds() {
        LossTracker lossTracker = lossTracker(new LossPolicy(OnFailure.CONTINUE, null), 2);
        lossTracker.transferring(BYTES, 0);
        bytesDone.putAll(Map.of(0, 1L, 1, BYTES, 3, BYTES));

        lossTracker.deadlinePassed(DEADLINE);

        assertThat(decisions).last().asString().startsWith("fail [0] DEADLINE: ");
    }

    private static RobberException loss(Reason reason, int rank, String during) {
        return new RobberException(reason, List.of(rank), during, "lost " + rank);
    }

    private LossTracker transferring(LossPolicy policy) {
        LossTracker lossTracker = lossTracker(policy);
        lossTracker.transferring(BYTES, 0);
        return lossTracker;
    }

    private LossTracker lossTracker(LossPolicy policy) {
        return lossTracker(policy, 0);
    }

    private LossTracker lossTracker(LossPolicy policy, Integer... roots) {
        NodeOutput output = (NodeOutput) Proxy.newProxyInstance(
                NodeOutput.class.getClassLoader(), new Class<?>[] {NodeOutput.class}, (proxy, method, args) -> null);
        LossTracker lossTracker = new LossTracker(
                world(),
                policy,
                output,
                () -> phase,
                new SourceTerms(List.of("tree"), Selection.all(), ImmutableList.copyOf(roots)));
        lossTracker.watch();
        return lossTracker;
    }

    /** Two clusters of two nodes; writes down what is decided. */
    private Communicator world() {
        Communicator names = FakeWorld.of(2, 2);
        return (Communicator) Proxy.newProxyInstance(
                Communicator.class.getClassLoader(),
                new Class<?>[] {Communicator.class, JobControl.class},
                (proxy, method, args) -> {
                    switch (method.getName()) {
                        case "control" -> {
                            return proxy;
                        }
                        case "goOnWithoutLost" -> decisions.add("go on");
                        case "bytesDone" -> {
                            return bytesDone.getOrDefault((Integer) args[0], 0L);
                        }
                        case "dropJoiners" -> {
                            if (joinersWaitedFor) {
                                decisions.add("drop joiners " + text((RobberException) args[0]));
                            }
                            return joinersWaitedFor;
                        }
                        case "absent" -> {
                            return absent;
                        }
                        case "onLost" -> losses = listener(args[0]);
                        case "expel" -> decisions.add("expel " + args[0] + " " + text((RobberException) args[1]));
                        case "fail" -> {
                            RobberException failure = (RobberException) args[0];
                            decisions.add("fail " + failure.ranks() + " " + text(failure));
                        }
                        default -> {
                            try {
                                return method.invoke(names, args);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }
                    }
                    return null;
                });
    }

    @SuppressWarnings("unchecked") // what the interface says
    private static BiConsumer<Integer, RobberException> listener(Object argument) {
        return (BiConsumer<Integer, RobberException>) argument;
    }

    private static String text(RobberException failure) {
        return failure.reason() + ": " + failure.getMessage();
    }
}
