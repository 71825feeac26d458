package org.robber.emulation.testbed.program;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.testbed.wan.Wan;

/**
 * Applies the phases of the scenario and samples its traffic while programs run, all in the calling thread.
 */
public final class ProgramSupervisor {

    /** Between two samples. */
    public static final long INTERVAL_NANOS = 250_000_000L;

    /** Between two checks for the start of the transfer, if no line reports it. */
    private static final long LOOK_NANOS = 50_000_000L;

    private final ImmutableList<Phase> phases;
    private final Wan wan;
    private final ReceivedByteCounters counters;
    private final LinkedBlockingQueue<Long> events = new LinkedBlockingQueue<>();

    /** For one run; the first phase must be in force already. */
    public ProgramSupervisor(List<Phase> phases, Wan wan, ReceivedByteCounters counters) {
        this.phases = ImmutableList.copyOf(phases);
        this.wan = wan;
        this.counters = counters;
    }

    /**
     * Starts the programs and returns when all have ended, or when their time is over.
     *
     * @param failure given the end of the first that fails, at once, on some thread
     */
    public ProgramRun run(List<ProcessBuilder> commands, StartSignal signal, Duration limit, Consumer<NodeExit> failure)
            throws InterruptedException {
        long cpuAtBegin = ChildCpu.nanos();
        long begin = System.nanoTime();
        ImmutableSortedMap<ClusterPair, Long> crossedAtBegin = wan.crossedBytes();
        TrafficSamples samples = new TrafficSamples(crossedAtBegin, counters.receivedBytes());
        try (RunningPrograms processes = RunningPrograms.start(
                commands,
                line -> {
                    if (signal.isIn(line)) {
                        events.add(System.nanoTime());
                    }
                },
                () -> events.add(0L),
                failure)) {
            long end = begin + limit.toNanos();
            long start = awaitStart(processes, signal, sum(crossedAtBegin), end);
            boolean started = start != 0;
            ImmutableSortedMap<ClusterPair, Long> crossedBefore = crossedAtBegin;
            if (started) {
                ImmutableSortedMap<ClusterPair, Long> crossedAtStart = wan.crossedBytes();
                samples = new TrafficSamples(crossedAtStart, counters.receivedBytes());
                // Bytes that tell of the start are data.
                crossedBefore = signal.isByData() ? crossedAtBegin : crossedAtStart;
                supervise(processes, samples, start, end);
            }
            long nanos = System.nanoTime() - (started ? start : begin);
            boolean inTime = !processes.areRunning();
            ImmutableSortedMap<ClusterPair, Long> crossed = difference(crossedBefore, wan.crossedBytes());
            ImmutableList<NodeExit> exits = processes.stopAndCollect();
            long cpuNanos = ChildCpu.nanos() - cpuAtBegin;
            return new ProgramRun(started, inTime, nanos, exits, crossed, cpuNanos, samples.timeline());
        }
    }

    /** When the transfer began; 0 if the programs or their time ended before. */
    private long awaitStart(RunningPrograms processes, StartSignal signal, long crossedAtBegin, long end)
            throws InterruptedException {
        boolean looks = signal.isByData();
        while (processes.areRunning() && System.nanoTime() < end) {
            long wait = Math.min(looks ? LOOK_NANOS : Long.MAX_VALUE, end - System.nanoTime());
            Long seen = events.poll(wait, TimeUnit.NANOSECONDS);
            if (seen != null && seen != 0) {
                return seen;
            }
            if (looks && sum(wan.crossedBytes()) - crossedAtBegin >= signal.crossedBytes()) {
                return System.nanoTime();
            }
        }
        return 0;
    }

    /** Applies phases and takes samples, each in its time, until all programs or their time have ended. */
    private void supervise(RunningPrograms processes, TrafficSamples samples, long start, long end)
            throws InterruptedException {
        int nextPhase = 1;
        while (processes.areRunning() && System.nanoTime() < end) {
            long phaseDue = nextPhase < phases.size() ? phases.get(nextPhase).atNanos() : Long.MAX_VALUE;
            long elapsed = System.nanoTime() - start;
            if (elapsed >= phaseDue) {
                wan.apply(phases.get(nextPhase));
                nextPhase++;
            } else if (elapsed >= samples.dueNanos()) {
                samples.add(wan.crossedBytes(), counters.receivedBytes());
            } else {
                long due = Math.min(Math.min(phaseDue, samples.dueNanos()), end - start);
                // the loop checks everything again after any event
                events.poll(due - elapsed, TimeUnit.NANOSECONDS);
            }
        }
    }

    private static ImmutableSortedMap<ClusterPair, Long> difference(
            ImmutableSortedMap<ClusterPair, Long> before, ImmutableSortedMap<ClusterPair, Long> after) {
        ImmutableSortedMap.Builder<ClusterPair, Long> crossed = ImmutableSortedMap.naturalOrder();
        before.forEach((pair, bytes) -> crossed.put(pair, after.getOrDefault(pair, 0L) - bytes));
        return crossed.buildOrThrow();
    }

    private static long sum(ImmutableSortedMap<ClusterPair, Long> bytes) {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }
}
