package org.robber.transport.control;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A message on the control connection that each node keeps to rank 0; or {@link DataHello}, the first frame on a connection between two peers.
 */
public sealed interface ControlMessage {
    /** The most addresses that a node may tell its peers. */
    int MAX_ADDRESSES = 8;

    /**
     * A node's first frame to rank 0: who it is. The answer is {@link Roster}, once all are there, or {@link Refuse}.
     *
     * @param job name of the job it belongs to
     * @param rank 0..size-1
     * @param size how many nodes it believes take part
     * @param cluster name of its cluster, or null to be sorted by subnet
     * @param host its host name, for people
     * @param processId its process id, for people
     * @param dataAddresses numeric addresses at which peers reach it, the best first; an empty one is the address this connection comes from
     * @param dataPort port at which peers reach it
     * @param settings what must be equal on all nodes, as text that can be shown when it isn't
     */
    record Announce(
            String job,
            int rank,
            int size,
            @Nullable String cluster,
            String host,
            long processId,
            ImmutableList<String> dataAddresses,
            int dataPort,
            String settings)
            implements ControlMessage {}

    /**
     * Everyone is there: from rank 0 to all.
     *
     * @param seed seed of everything random in this job, drawn by rank 0
     * @param members one for each rank, in order
     */
    record Roster(long seed, ImmutableList<Member> members) implements ControlMessage {}

    /** One node of the {@link Roster}; its addresses are as in {@link Announce}. */
    record Member(String cluster, String host, long processId, ImmutableList<String> dataAddresses, int dataPort) {
        /** With one address. */
        public Member(String cluster, String host, long processId, String dataAddress, int dataPort) {
            this(cluster, host, processId, ImmutableList.of(dataAddress), dataPort);
        }

        /** The first address; empty if there is none. */
        public String dataAddress() {
            return dataAddresses.isEmpty() ? "" : dataAddresses.get(0);
        }
    }

    /** Rank 0 will not have this node, with a reason for people; the connection ends. */
    record Refuse(int code, String reason) implements ControlMessage {}

    /** The sender has begun its n-th collective call; calls of one number must be the same everywhere. */
    record Call(long number, String call) implements ControlMessage {}

    /** The sender has come to the end of its part of the n-th collective call. */
    @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never copied or compared here
    record Arrive(long number, byte[] payload) implements ControlMessage {}

    /** Everyone has arrived: from rank 0 to all. */
    @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never copied or compared here
    record Release(long number, byte[] payload) implements ControlMessage {}

    /**
     * Something that everyone has to know: to rank 0, and from there to all others.
     *
     * @param from the node that publishes; rank 0 fills it in by the connection
     * @param topic what it is about
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never copied or compared here
    record Publish(int from, String topic, byte[] payload) implements ControlMessage {
        /** The topic of the pieces that a node lacks and no peer sends it. */
        public static final String STARVED = "starved";

        /** The topic of nodes whose storage hangs. */
        public static final String HANG = "hang";

        /** The topic of peers that a node has refused for corrupt data: a rank, a blank, and the reason. */
        public static final String DISTRUST = "distrust";

        private static final ImmutableSet<String> FOR_RANK_ZERO = ImmutableSet.of(STARVED, HANG, DISTRUST);
        private static final String CONCLUSION = "exit code";

        /** The exit code of the job, from rank 0 to nodes that gave up and wait for it. */
        public static Publish conclusion(int exitCode) {
            return new Publish(0, CONCLUSION, new byte[] {(byte) exitCode});
        }

        /** Whether rank 0 alone acts on it. All nodes may say so at once, so it is passed on to none. */
        public boolean isForRankZero() {
            return FOR_RANK_ZERO.contains(topic);
        }

        /** Whether this is the exit code of the job. */
        public boolean isConclusion() {
            return from == 0 && topic.equals(CONCLUSION) && payload.length == 1;
        }
    }

    /**
     * How far the sender is, for the display at rank 0 and for noticing that nothing moves.
     *
     * @param phase what it is doing, for people
     * @param bytesDone at least 0
     * @param bytesTotal at least 0; 0 if it isn't known
     * @param received bytes of verified pieces that came from each cluster, by its number; those with none are left out
     */
    record Progress(String phase, long bytesDone, long bytesTotal, ImmutableSortedMap<Integer, Long> received)
            implements ControlMessage {

        /** Of a sender that does not say where its bytes came from. */
        public Progress(String phase, long bytesDone, long bytesTotal) {
            this(phase, bytesDone, bytesTotal, ImmutableSortedMap.of());
        }
    }

    /**
     * The job has failed: to rank 0, and from there to all others.
     *
     * @param code number of the reason
     * @param ranks the nodes it is about, the one at fault first
     * @param phase what they were doing
     * @param text what happened and what to do, for people
     */
    record Fail(int code, ImmutableList<Integer> ranks, String phase, String text) implements ControlMessage {}

    /**
     * A node takes part no longer, and the others go on without it: from the node itself to rank 0, and from rank 0 to all.
     *
     * @param rank the node
     * @param code number of the reason
     * @param phase what it was doing
     * @param text what happened, for people
     */
    record Lost(int rank, int code, String phase, String text) implements ControlMessage {}

    /** The sender leaves in peace: the end of its connection is no failure. */
    record Goodbye() implements ControlMessage {}

    /** The sender is alive, and has no other message to send. */
    record Alive() implements ControlMessage {}

    /**
     * First frame on a connection between two peers, from both sides.
     *
     * @param job name of the job
     * @param seed seed from the roster: tells apart two runs of one job
     * @param channel number of the channel that the connection belongs to
     * @param rank the sender
     * @param to the node that the sender means to talk to
     */
    record DataHello(String job, long seed, long channel, int rank, int to) implements ControlMessage {}

    /**
     * Asks a node, through rank 0, to connect to another one that cannot connect to it. It begins with {@link BackHello}. If the node that is asked has
     * left the job, the one that asks gets its message back.
     *
     * @param from the node that asks, and that is to be connected to
     * @param to the node that is asked
     * @param token chosen by the one that asks, who knows the connection by it
     */
    record CallBack(int from, int to, long token) implements ControlMessage {}

    /**
     * First frame on a connection between two peers that was asked for by {@link CallBack}, from the side that connects. Then the two change
     * parts: the side that was connected to goes on as if it had connected.
     *
     * @param job name of the job
     * @param seed seed from the roster
     * @param rank the sender
     * @param token of the {@link CallBack}
     */
    record BackHello(String job, long seed, int rank, long token) implements ControlMessage {}

    /**
     * First frame on a connection to a relay, and from the relay to the node that is meant. The answer is the same from there, and then all bytes are passed on. Or the
     * answer is {@link Refuse}.
     *
     * @param job name of the job
     * @param seed seed from the roster
     * @param from the node that connects
     * @param to the node that it means to talk to
     */
    record Relay(String job, long seed, int from, int to) implements ControlMessage {}

    /**
     * First frame to rank 0 of a node that wants to take part in a job that runs already. The answer is {@link Roster}, with that
     * node as its last member, and {@link Admit}, once there is something to join; or {@link Refuse}.
     *
     * @param job name of the job
     * @param cluster name of its cluster, or null to be sorted by subnet
     * @param host its host name, for people
     * @param processId its process id, for people
     * @param dataAddresses as in {@link Announce}
     * @param dataPort port at which members reach it that it cannot reach
     */
    record Join(
            String job,
            @Nullable String cluster,
            String host,
            long processId,
            ImmutableList<String> dataAddresses,
            int dataPort)
            implements ControlMessage {}

    /**
     * From rank 0 to a joiner, after the roster: the multicast that it takes part in, as the members'
     * {@link org.robber.core.protocol.Message.Begin}
     * has it. What follows is the description, published in parts.
     *
     * @param members how many nodes the job began with: those of the roster from there on have joined
     * @param channel number of the channel of the multicast
     * @param descriptionBytes length of the application's description of the data
     */
    record Admit(
            int members,
            int channel,
            long sequence,
            int rootRank,
            long totalBytes,
            int pieceBytes,
            String strategy,
            String digest,
            int descriptionBytes)
            implements ControlMessage {}

    /**
     * From rank 0 to a node that waits for the roster: measure the round-trip time to this port. The answer is {@link RoundTrip}.
     *
     * @param round the answer has the same
     * @param address numeric; empty: the address at which this connection has reached rank 0
     */
    record MeasureRoundTrip(int round, String address, int port) implements ControlMessage {}

    /**
     * Of a node that waits for the roster.
     *
     * @param round of the question
     * @param micros microseconds; {@link Long#MAX_VALUE} if nothing answered
     */
    record RoundTrip(int round, long micros) implements ControlMessage {}

    /** From rank 0 to all members: a node has joined, and may take pieces of those it connects to. */
    record Joined(int rank, Member member) implements ControlMessage {}
}
