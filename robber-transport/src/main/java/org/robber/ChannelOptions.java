package org.robber;

import static com.google.common.base.Preconditions.checkArgument;

import org.robber.core.topology.BandwidthMap;

/**
 * How a channel works; the same on all nodes.
 *
 * @param strategy name of the strategy
 * @param pieceBytes size of a piece; 0: chosen by the size of the data. At most {@code memoryBytes}, or no channel can be opened. Data that
 *     are smaller take no more memory than they are large
 * @param digest name of the digest of pieces: {@code crc32-pair}, {@code xxh3-128}, or {@code sha256} where members aren't trusted
 * @param memoryBytes how much memory this node may use for pieces on their way, at least 4 MiB. Four pieces may always be there,
 *     even if these take more
 * @param requestWindow requests outstanding per peer at first, at least 1: {@code robber} and {@code mob} then ask for as many as keep
 *     the line busy, the other trees have windows of their own; only {@code bittorrent} and what is {@code published} keep to it
 * @param bandwidths what is known of the network between clusters, for strategies that plan by it; most do not
 * @param onLoss what follows if nodes are lost
 * @param sharesMemory whether large data go through memory where all nodes are processes of one machine; with a strategy
 *     other than {@code robber} and {@code auto}, a size of pieces or another digest they never do
 */
public record ChannelOptions(
        String strategy,
        int pieceBytes,
        String digest,
        long memoryBytes,
        int requestWindow,
        BandwidthMap bandwidths,
        OnLoss onLoss,
        boolean sharesMemory) {

    private static final ChannelOptions DEFAULTS =
            new ChannelOptions("robber", 0, "crc32-pair", 512L << 20, 5, BandwidthMap.unknown(), OnLoss.THROW, true);

    public ChannelOptions {
        checkArgument(strategy != null, "strategy is null");
        checkArgument(digest != null, "digest is null");
        checkArgument(bandwidths != null, "bandwidths is null");
        checkArgument(onLoss != null, "onLoss is null");
        checkArgument(pieceBytes >= 0, "pieceBytes: %s", pieceBytes);
        checkArgument(memoryBytes >= 4L << 20, "memoryBytes: %s", memoryBytes);
        checkArgument(requestWindow >= 1, "requestWindow: %s", requestWindow);
    }

    /** Robber, piece size by the size of the data, the cheapest digest, 512 MiB, 5 requests per peer; losses are thrown. */
    public static ChannelOptions defaults() {
        return DEFAULTS;
    }

    public ChannelOptions withStrategy(String name) {
        return new ChannelOptions(
                name, pieceBytes, digest, memoryBytes, requestWindow, bandwidths, onLoss, sharesMemory);
    }

    public ChannelOptions withPieceBytes(int bytes) {
        return new ChannelOptions(
                strategy, bytes, digest, memoryBytes, requestWindow, bandwidths, onLoss, sharesMemory);
    }

    public ChannelOptions withDigest(String name) {
        return new ChannelOptions(
                strategy, pieceBytes, name, memoryBytes, requestWindow, bandwidths, onLoss, sharesMemory);
    }

    public ChannelOptions withMemoryBytes(long bytes) {
        return new ChannelOptions(strategy, pieceBytes, digest, bytes, requestWindow, bandwidths, onLoss, sharesMemory);
    }

    public ChannelOptions withRequestWindow(int requests) {
        return new ChannelOptions(
                strategy, pieceBytes, digest, memoryBytes, requests, bandwidths, onLoss, sharesMemory);
    }

    public ChannelOptions withBandwidths(BandwidthMap map) {
        return new ChannelOptions(strategy, pieceBytes, digest, memoryBytes, requestWindow, map, onLoss, sharesMemory);
    }

    public ChannelOptions withOnLoss(OnLoss choice) {
        return new ChannelOptions(
                strategy, pieceBytes, digest, memoryBytes, requestWindow, bandwidths, choice, sharesMemory);
    }

    public ChannelOptions withSharedMemory(boolean shares) {
        return new ChannelOptions(strategy, pieceBytes, digest, memoryBytes, requestWindow, bandwidths, onLoss, shares);
    }

    /**
     * What follows if a node other than rank 0 is lost; if rank 0 is, the job ends. The job also ends if a root is lost and others still lack its data. By message
     * or through memory, all data comes from the root. In pieces, the others may have all of them.
     */
    public enum OnLoss {
        /** All others finish; then their {@link MulticastChannel#flush} throws, naming who is lost. The channel goes on. */
        THROW,
        /** All others finish, and nothing is thrown: {@link MulticastChannel#missing} tells who is lost. The channel goes on. */
        COMPLETE_SURVIVORS,
        /** The job ends at once, everywhere. */
        ABORT
    }
}
