package org.robber.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.NodeCounters;
import org.robber.core.node.TimerKey;
import org.robber.core.piece.PieceSet;

class StrategyRunnerTest {
    private final EmbeddedChannel loop = new EmbeddedChannel();
    private final ArrayDeque<Function<Event, List<Action>>> script = new ArrayDeque<>();
    private final List<Event> handled = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private long nanos;

    private final StrategyRunner runner = new StrategyRunner(
            loop.eventLoop(),
            new MulticastNode() {
                @Override
                public List<Action> start(long nowNanos) {
                    log.add("start");
                    return List.of();
                }

                @Override
                public List<Action> handle(long nowNanos, Event event) {
                    handled.add(event);
                    log.add("handle");
                    Function<Event, List<Action>> next = script.poll();
                    return next == null ? List.of() : next.apply(event);
                }

                @Override
                public PieceSet possession() {
                    return PieceSet.empty(0);
                }

                @Override
                public NodeCounters counters() {
                    return new NodeCounters(0, 0, 0, 0, 0);
                }
            },
            new StrategyRunner.Performer() {
                @Override
                public void perform(Action action) {
                    log.add(action.getClass().getSimpleName());
                    if (action instanceof Action.Completed) {
                        runnerOf().post(new Event.PeerLost(9));
                    }
                }

                @Override
                public void endOfBatch() {
                    log.add("end");
                }

                @Override
                public void crashed(Throwable defect) {
                    log.add("crashed: " + defect.getMessage());
                }
            },
            () -> nanos);

    private StrategyRunner runnerOf() {
        return runner;
    }

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void eventsPostedBeforeTheStartWaitForIt() {
        runner.post(new Event.PeerReady(1));
        runner.start();
        loop.runPendingTasks();

        assertThat(log).containsExactly("start", "handle", "end");
    }

    @Test
    void anEventPostedWhileOneIsHandledIsHandledAfterwardsNotInside() {
        script.add(event -> List.of(new Action.Completed(), new Action.Finished()));
        runner.start();
        runner.post(new Event.PeerReady(1));
        loop.runPendingTasks();

        assertThat(log).containsExactly("start", "handle", "Completed", "Finished", "handle", "end");
        assertThat(handled).containsExactly(new Event.PeerReady(1), new Event.PeerLost(9));
    }

    @Test
    void settingATimerReplacesTheEarlierOneOfItsKey() {
        script.add(event -> List.of(
                new Action.SetTimer(TimerKey.RECHOKE, 1_000_000), new Action.SetTimer(TimerKey.RECHOKE, 5_000_000)));
        runner.start();
        runner.post(new Event.PeerReady(1));
        loop.runPendingTasks();
        loop.advanceTimeBy(1, TimeUnit.HOURS);
        loop.runScheduledPendingTasks();
        loop.runPendingTasks();

        assertThat(handled).containsExactly(new Event.PeerReady(1), new Event.TimerFired(TimerKey.RECHOKE));
    }

    @Test
    void aMachineThatThrowsIsReportedAndHearsNothingMore() {
        script.add(event -> {
            throw new IllegalStateException("defect");
        });
        runner.start();
        runner.post(new Event.PeerReady(1));
        runner.post(new Event.PeerReady(2));
        loop.runPendingTasks();

        assertThat(log).contains("crashed: defect");
        assertThat(handled).containsExactly(new Event.PeerReady(1));
    }

    @Test
    void nothingIsHandledAfterTheStop() {
        runner.start();
        loop.runPendingTasks();
        runner.stop();
        runner.post(new Event.PeerReady(1));
        loop.runPendingTasks();

        assertThat(handled).isEmpty();
    }
}
