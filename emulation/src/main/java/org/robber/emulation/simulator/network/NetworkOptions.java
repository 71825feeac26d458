package org.robber.emulation.simulator.network;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Properties of the network that scenarios do not have.
 *
 * @param packetBytes longest packet, headers included
 * @param lanDelayNanos one-way delay inside a cluster, at least 1
 * @param queueNanos how long the queue before a link, an access line or a receiver's card may get, as time at its rate;
 *     at least the link's round trip and 64 packets in any case. Beyond it, senders slow down
 * @param firstWindowPackets congestion window of a new connection
 * @param maxWindowBytes limit of the bytes on their way between two nodes, as set by socket buffers
 * @param lanWindowBytes bytes on their way on one connection inside a cluster
 * @param segmentBytes the most that travels as one through the model, or a quarter of a piece if that is more; more is
 *     coarser and faster
 * @param blockBytes unit in which pieces are handed to a connection
 * @param aheadBytes as long as less than this of pieces is with a connection and unsent, another block is handed to it;
 *     messages queue behind it
 * @param sendLimits what each node limits itself to
 */
public record NetworkOptions(
        int packetBytes,
        long lanDelayNanos,
        long queueNanos,
        int firstWindowPackets,
        long maxWindowBytes,
        long lanWindowBytes,
        int segmentBytes,
        int blockBytes,
        int aheadBytes,
        NodeSendLimits sendLimits) {
    /** IP and TCP heads, with time stamps. */
    static final int HEAD_BYTES = 52;

    private static final int LEAST_QUEUE_PACKETS = 64;

    public NetworkOptions {
        checkArgument(packetBytes > HEAD_BYTES, "packetBytes: %s", packetBytes);
        checkArgument(lanDelayNanos >= 1, "lanDelayNanos: %s", lanDelayNanos);
        checkArgument(queueNanos >= 0, "queueNanos: %s", queueNanos);
        checkArgument(firstWindowPackets >= 1, "firstWindowPackets: %s", firstWindowPackets);
        checkArgument(segmentBytes >= packetBytes, "segmentBytes: %s", segmentBytes);
        checkArgument(blockBytes >= 1, "blockBytes: %s", blockBytes);
        checkArgument(aheadBytes >= 1, "aheadBytes: %s", aheadBytes);
    }

    /** The same with nodes that limit themselves. */
    public NetworkOptions withSendLimits(NodeSendLimits limits) {
        return new NetworkOptions(
                packetBytes,
                lanDelayNanos,
                queueNanos,
                firstWindowPackets,
                maxWindowBytes,
                lanWindowBytes,
                segmentBytes,
                blockBytes,
                aheadBytes,
                limits);
    }

    /** As in the testbed: large packets, 50 ms of queue before each link, and eight connections with the buffers of Linux where one is not enough. */
    public static NetworkOptions defaults() {
        return new NetworkOptions(
                9000, 50_000, 50_000_000, 10, 8 * (4 << 20), 1 << 19, 1 << 16, 1 << 14, 1 << 16, NodeSendLimits.NONE);
    }

    long leastQueueBytes() {
        return (long) LEAST_QUEUE_PACKETS * packetBytes;
    }

    /** Data in one packet. */
    int packetDataBytes() {
        return packetBytes - HEAD_BYTES;
    }

    /** Bytes on the wire for this many bytes of a stream. */
    int wireBytes(int streamBytes) {
        return streamBytes + (streamBytes + packetDataBytes() - 1) / packetDataBytes() * HEAD_BYTES;
    }
}
