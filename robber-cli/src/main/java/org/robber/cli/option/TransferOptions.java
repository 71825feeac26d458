package org.robber.cli.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.ChannelOptions.OnLoss;
import org.robber.cli.request.BandwidthFile;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.BandwidthMap;
import org.robber.transport.digest.PieceHashers;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** How data are brought to all nodes. */
public final class TransferOptions extends CheckedOptions {

    @Option(
            names = "--strategy",
            paramLabel = "NAME",
            defaultValue = "robber",
            description = "How to multicast: robber (the improved algorithm), robber:published (as published), mob,"
                    + " auto, bittorrent, balanced ... (docs/reference/strategies.md). Default: ${DEFAULT-VALUE}.")
    private String strategy = "";

    @Option(
            names = "--bandwidths",
            paramLabel = "FILE",
            description = "Scenario file with the bandwidths between clusters, for strategies that plan by them."
                    + " Default: all links are equal.")
    private @Nullable Path bandwidthFile;

    private @Nullable BandwidthFile bandwidths;

    @Mixin
    private PieceSizeOption pieceSize = new PieceSizeOption();

    @Option(
            names = "--digest",
            paramLabel = "NAME",
            defaultValue = "crc32-pair",
            description =
                    "How pieces are verified: crc32-pair, xxh3-128, or sha256 where nodes are not trusted. Default:"
                            + " ${DEFAULT-VALUE}.")
    private String digest = "";

    @Mixin
    private RequestWindowOption window = new RequestWindowOption();

    /** Name of the digest that pieces are verified by. */
    public String digest() {
        return digest;
    }

    /** The file with bandwidths, or null. It is read once: a pipe gives its text to the first reader. */
    public @Nullable BandwidthFile bandwidths() {
        if (bandwidths == null && bandwidthFile != null) {
            bandwidths = BandwidthFile.read(bandwidthFile);
        }
        return bandwidths;
    }

    /**
     * The options of a channel.
     *
     * @param memoryBytes that a node may use
     * @throws ParameterException if a name is unknown, the bandwidths cannot be read, or the memory has no room for a piece
     */
    public ChannelOptions channel(long memoryBytes, OnLoss onLoss) {
        if (!PieceHashers.names().contains(digest)) {
            throw bad("--digest: '" + digest + "' is unknown: use " + String.join(", ", PieceHashers.names()));
        }
        if (pieceSize.bytes() > memoryBytes) {
            throw bad("--piece-size: --memory has no room for a piece of " + pieceSize.bytes()
                    + " bytes: use at least --memory=" + pieceSize.bytes() + ", or smaller pieces");
        }
        BandwidthMap map = map();
        try {
            Strategies.byName(strategy, map);
        } catch (IllegalArgumentException e) {
            throw bad("--strategy: " + e.getMessage());
        }
        return ChannelOptions.defaults()
                .withStrategy(strategy)
                .withPieceBytes(pieceSize.bytes())
                .withDigest(digest)
                .withMemoryBytes(memoryBytes)
                .withRequestWindow(window.requests())
                .withBandwidths(map)
                .withOnLoss(onLoss);
    }

    private BandwidthMap map() {
        try {
            BandwidthFile file = bandwidths();
            return file == null ? BandwidthMap.unknown() : file.map();
        } catch (IllegalArgumentException e) {
            throw bad("--bandwidths: " + e.getMessage());
        }
    }
}
