package org.robber.emulation.testbed.calibration;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Iterables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.testbed.network.AddressPlan;
import org.robber.emulation.testbed.sandbox.LineProcess;
import org.robber.emulation.testbed.sandbox.TestbedException;

/**
 * Measures rate and round trip of every link of a scenario's first phase, with programs that send and receive on its nodes.
 * Takes about 5 s for each round of links that share nothing, and a second more.
 *
 * <p>The network between the clusters counts the bytes of a link, so the rate does not depend on the scheduling of programs. Where
 * cards are the limit, it is the count of the receivers with the headers of full packets.
 */
public final class Calibration implements AutoCloseable {

    /** Enough for one that nothing on this machine delays; fewer where they would take longer than {@link #PINGS_NANOS}. */
    private static final int MOST_PINGS = 50;

    private static final int FEWEST_PINGS = 3;
    private static final long PINGS_NANOS = 10_000_000_000L;

    /** In all, for each direction; more on lines that are so long and fast that these cannot fill them. */
    private static final int FEWEST_CONNECTIONS = 4;

    /** More threads than one program should start. */
    private static final int MOST_CONNECTIONS = 1000;

    /** Less than the buffers of one connection let be on its way, as Linux sets them by default. */
    private static final long BYTES_ON_THE_WAY = 1 << 20;

    /** For connections to find their rate, and for slow start to be over also on slow links. */
    private static final long WARM_UP_MILLIS = 1500;

    /** The same for long lines: each round trip doubles what is on its way. */
    private static final int WARM_UP_ROUND_TRIPS = 10;

    /** Durations of the first measurement and its repetitions: a slow link may be between two losses of its connections. */
    private static final ImmutableList<Long> WINDOW_MILLIS = ImmutableList.of(3000L, 6000L, 9000L);

    /** Of IP and TCP, with time stamps. */
    private static final int HEADER_BYTES = 52;

    private static final double LINE_BYTES_PER_DATA_BYTE = (double) AddressPlan.MTU / (AddressPlan.MTU - HEADER_BYTES);

    private static final ImmutableList<String> AGENT = ImmutableList.of(
            System.getProperty("java.home") + "/bin/java",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            "-Xmx64m",
            "-cp",
            System.getProperty("java.class.path"),
            CalibrationAgent.class.getName());

    /** For packets on their way, before the next round. */
    private static final long PAUSE_MILLIS = 200;

    private final Scenario scenario;
    private final IntFunction<String> addresses;
    private final Supplier<ImmutableSortedMap<ClusterPair, Long>> crossedBytes;
    private final SortedMap<Integer, LineProcess> agents = new TreeMap<>();
    private final ImmutableList<ImmutableList<Flow>> rounds;

    /**
     * Starts the programs.
     *
     * @param commands runs the given command on the node of a rank
     * @param addresses of the nodes, by rank
     * @param crossedBytes gets the bytes that have crossed between clusters, headers included
     */
    public Calibration(
            Scenario scenario,
            NodeCommands commands,
            IntFunction<String> addresses,
            Supplier<ImmutableSortedMap<ClusterPair, Long>> crossedBytes)
            throws InterruptedException {
        this.scenario = scenario;
        this.addresses = addresses;
        this.crossedBytes = crossedBytes;
        this.rounds = new CalibrationPlan(scenario).rounds();
        for (List<Flow> round : rounds) {
            for (Flow flow : round) {
                for (int rank : Iterables.concat(flow.senders(), flow.receivers())) {
                    agents.computeIfAbsent(
                            rank,
                            unused -> LineProcess.start(
                                    "calibration: the program on rank " + rank,
                                    commands.on(rank, AGENT).redirectErrorStream(true)));
                }
            }
        }
        for (int rank : agents.keySet()) {
            answer(rank, "ready", Duration.ZERO);
        }
    }

    /** Makes a command that runs on the node of a rank. */
    public interface NodeCommands {
        /** The command, not started. */
        ProcessBuilder on(int rank, List<String> command);
    }

    /**
     * Measures all links. A value out of tolerance is measured again, and for longer: other programs on this machine may have
     * disturbed it.
     *
     * @return every link, in order
     * @throws TestbedException if a value stays out of tolerance; names it
     */
    public ImmutableList<LinkMeasurement> measure() throws InterruptedException {
        SortedMap<ClusterPair, LinkMeasurement> all = new TreeMap<>();
        for (List<Flow> round : rounds) {
            List<Flow> wrong = round;
            for (int attempt = 1; attempt <= WINDOW_MILLIS.size() && !wrong.isEmpty(); attempt++) {
                List<Flow> again = new ArrayList<>();
                List<LinkMeasurement> measured = measure(wrong, attempt);
                for (int i = 0; i < measured.size(); i++) {
                    all.put(measured.get(i).pair(), measured.get(i));
                    if (!isRight(measured.get(i))) {
                        again.add(wrong.get(i));
                    }
                }
                wrong = again;
            }
        }
        List<String> wrong = all.values().stream()
                .filter(measured -> !isRight(measured))
                .map(this::text)
                .toList();
        if (!wrong.isEmpty()) {
            throw new TestbedException("the testbed does not give what the scenario asks for, to 3 %: "
                    + String.join("; ", wrong)
                    + "; is this machine busy with something else, or too slow for these rates?");
        }
        return ImmutableList.copyOf(all.values());
    }

    private static boolean isRight(LinkMeasurement measured) {
        return measured.isRateRight() && measured.isRoundTripRight();
    }

    private String text(LinkMeasurement measured) {
        return measured.text(scenario.pairName(measured.pair()));
    }

    private List<LinkMeasurement> measure(List<Flow> round, int attempt) throws InterruptedException {
        List<Long> roundTrips = roundTrips(round);
        for (Flow flow : limited(round)) {
            int each = Math.max(1, connections(flow) / flow.senders().size());
            for (int i = 0; i < flow.senders().size(); i++) {
                agent(flow.senders().get(i))
                        .tell("send " + flow.name(attempt) + " "
                                + addresses.apply(flow.receivers().get(i)) + " " + each);
            }
        }
        TimeUnit.MILLISECONDS.sleep(warmUpMillis(round));
        List<Count> before = counts(round, attempt);
        TimeUnit.MILLISECONDS.sleep(WINDOW_MILLIS.get(attempt - 1));
        List<Count> after = counts(round, attempt);
        for (Flow flow : limited(round)) {
            for (int sender : flow.senders()) {
                agent(sender).tell("stop " + flow.name(attempt));
            }
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        List<LinkMeasurement> measured = new ArrayList<>();
        for (int i = 0; i < round.size(); i++) {
            Flow flow = round.get(i);
            measured.add(new LinkMeasurement(
                    flow.pair(),
                    flow.wantedBytesPerSecond(),
                    after.get(i).bytesPerSecondSince(before.get(i)),
                    flow.roundTripNanos(),
                    roundTrips.get(i)));
        }
        return measured;
    }

    private static List<Flow> limited(List<Flow> round) {
        return round.stream().filter(Flow::isLimited).toList();
    }

    private static long warmUpMillis(List<Flow> round) {
        long longestNanos = round.stream().mapToLong(Flow::roundTripNanos).max().orElse(0);
        return Math.max(WARM_UP_MILLIS, TimeUnit.NANOSECONDS.toMillis(WARM_UP_ROUND_TRIPS * longestNanos));
    }

    private static int connections(Flow flow) {
        double bytesOnTheWay = flow.wantedBytesPerSecond() * flow.roundTripNanos() / 1e9;
        double wanted = Math.ceil(bytesOnTheWay / BYTES_ON_THE_WAY);
        return (int) Math.max(FEWEST_CONNECTIONS, Math.min(MOST_CONNECTIONS, wanted));
    }

    private static int pings(Flow flow) {
        return (int) Math.max(FEWEST_PINGS, Math.min(MOST_PINGS, PINGS_NANOS / Math.max(1, flow.roundTripNanos())));
    }

    /** A few bytes at a time, so that all can be measured together. */
    private List<Long> roundTrips(List<Flow> round) throws InterruptedException {
        List<Long> nanos = new ArrayList<>();
        for (Flow flow : round) {
            agent(flow.senders().get(0))
                    .tell("ping " + flow.name(1) + " "
                            + addresses.apply(flow.receivers().get(0)) + " " + pings(flow));
        }
        for (Flow flow : round) {
            // One more round trip makes the connection.
            Duration work = Duration.ofNanos((pings(flow) + 1) * flow.roundTripNanos());
            nanos.add(Long.parseLong(answer(flow.senders().get(0), "ping " + flow.name(1), work)));
        }
        return nanos;
    }

    /** The bytes of each flow, and when they were counted. */
    private List<Count> counts(List<Flow> round, int attempt) throws InterruptedException {
        List<Count> counts = new ArrayList<>();
        long before = System.nanoTime();
        ImmutableSortedMap<ClusterPair, Long> crossed = crossedBytes.get();
        double crossedNanos = before + (System.nanoTime() - before) / 2.0;
        List<Count> received = received(round, attempt);
        for (int i = 0; i < round.size(); i++) {
            Long bytes = crossed.get(round.get(i).pair());
            counts.add(bytes == null || round.get(i).cardsLimit() ? received.get(i) : new Count(bytes, crossedNanos));
        }
        return counts;
    }

    /** The bytes of each flow on the line, counted by its receivers, and the mean time of counting. */
    private List<Count> received(List<Flow> round, int attempt) throws InterruptedException {
        for (Flow flow : round) {
            for (int receiver : flow.receivers()) {
                agent(receiver).tell("count " + flow.name(attempt));
            }
        }
        List<Count> counts = new ArrayList<>();
        for (Flow flow : round) {
            long bytes = 0;
            double nanos = 0;
            for (int receiver : flow.receivers()) {
                String[] numbers = answer(receiver, "count " + flow.name(attempt), Duration.ZERO)
                        .split(" ", -1);
                bytes += Long.parseLong(numbers[0]);
                nanos += (double) Long.parseLong(numbers[1]) / flow.receivers().size();
            }
            counts.add(new Count(bytes * LINE_BYTES_PER_DATA_BYTE, nanos));
        }
        return counts;
    }

    /** The rest of the answer with this beginning. */
    private String answer(int rank, String beginning, Duration work) throws InterruptedException {
        String answer = agent(rank).answer(beginning, work);
        if (!answer.startsWith(beginning)) {
            throw agent(rank).unexpected(beginning, "'" + answer + "'");
        }
        return answer.substring(beginning.length()).strip();
    }

    private LineProcess agent(int rank) {
        LineProcess agent = agents.get(rank);
        if (agent == null) {
            throw new IllegalArgumentException("no program on rank " + rank);
        }
        return agent;
    }

    /** Ends the programs. */
    @Override
    public void close() {
        agents.values().forEach(LineProcess::end);
        agents.values().forEach(LineProcess::close);
    }

    private record Count(double bytes, double nanos) {
        double bytesPerSecondSince(Count before) {
            return (bytes - before.bytes) / (nanos - before.nanos) * 1e9;
        }
    }
}
