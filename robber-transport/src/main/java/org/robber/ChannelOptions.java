package org.robber;

import static com.google.common.base.Preconditions.checkArgument;

import org.robber.core.topology.BandwidthMap;

/**
 * How a channel works; the same on all nodes.
 *
 * @param strategy name of the strategy
 * @param pieceBytes size of a piece; 0: chosen by the size of the data
 * @param digest name of the digest of pieces: {@code xxh3-128}, or {@code sha256} where members aren't trusted
 * @param memoryBytes how much memory this node may use for pieces on their way, at least 4 MiB
 * @param requestWindow requests outstanding per peer, at least 1
 * @param bandwidths what is known of the network between clusters, for strategies that plan by it; most do not
 */
public record ChannelOptions(
        String strategy, int pieceBytes, String digest, long memoryBytes, int requestWindow, BandwidthMap bandwidths) {

    private static final ChannelOptions DEFAULTS =
            new ChannelOptions("robber", 0, "xxh3-128", 512L << 20, 5, BandwidthMap.unknown());

    public ChannelOptions {
        checkArgument(pieceBytes >= 0, "pieceBytes: %s", pieceBytes);
        checkArgument(memoryBytes >= 4L << 20, "memoryBytes: %s", memoryBytes);
        checkArgument(requestWindow >= 1, "requestWindow: %s", requestWindow);
    }

    /** Robber, piece size by the size of the data, XXH3-128, 512 MiB, 5 requests per peer. */
    public static ChannelOptions defaults() {
        return DEFAULTS;
    }

    public ChannelOptions withStrategy(String name) {
        return new ChannelOptions(name, pieceBytes, digest, memoryBytes, requestWindow, bandwidths);
    }

    public ChannelOptions withPieceBytes(int bytes) {
        return new ChannelOptions(strategy, bytes, digest, memoryBytes, requestWindow, bandwidths);
    }

    public ChannelOptions withDigest(String name) {
        return new ChannelOptions(strategy, pieceBytes, name, memoryBytes, requestWindow, bandwidths);
    }

    public ChannelOptions withMemoryBytes(long bytes) {
        return new ChannelOptions(strategy, pieceBytes, digest, bytes, requestWindow, bandwidths);
    }

    public ChannelOptions withRequestWindow(int requests) {
        return new ChannelOptions(strategy, pieceBytes, digest, memoryBytes, requests, bandwidths);
    }

    public ChannelOptions withBandwidths(BandwidthMap map) {
        return new ChannelOptions(strategy, pieceBytes, digest, memoryBytes, requestWindow, map);
    }
}
