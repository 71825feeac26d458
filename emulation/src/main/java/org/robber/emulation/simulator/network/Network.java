package org.robber.emulation.simulator.network;

import com.google.common.collect.ImmutableSortedSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceLayout;
import org.robber.core.random.SeededRandom;
import org.robber.core.wire.FrameHead;
import org.robber.core.wire.MessageCodec;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.simulator.agenda.Agenda;

/** The network of a scenario, with its phases. */
public final class Network {
    /** Length of the digest that travels with each block: that of XXH3-128. */
    private static final int DIGEST_BYTES = 16;

    private static final int LEAST_PARTS_PER_PIECE = 4;
    private static final int MOST_PARTS_PER_PIECE = 64;

    private final Agenda agenda;
    private final NetworkOptions options;
    private final PieceLayout layout;
    private final MessageCodec codec;
    private final int segmentBytes;
    private final int leastSegmentBytes;
    private final WideAreaLinks links;
    private final List<NodeLines> ports = new ArrayList<>();
    private final List<SharedLines> borders = new ArrayList<>();
    private final Routes routes;
    private @Nullable Segment pool;

    /**
     * The network as it is at time 0.
     *
     * @param slowed ranks whose cards will be slowed down: these have cards even if the scenario does not limit them
     * @param losses decides which packets are lost
     */
    public Network(
            Scenario scenario,
            Agenda agenda,
            PieceLayout layout,
            NetworkOptions options,
            ImmutableSortedSet<Integer> slowed,
            SeededRandom losses) {
        this.agenda = agenda;
        this.options = options;
        this.layout = layout;
        this.segmentBytes = Math.max(options.segmentBytes(), layout.pieceBytes() / LEAST_PARTS_PER_PIECE);
        this.leastSegmentBytes = Math.max(options.packetDataBytes(), layout.pieceBytes() / MOST_PARTS_PER_PIECE);
        this.codec = new MessageCodec(layout, DIGEST_BYTES);
        this.links = new WideAreaLinks(scenario.phases(), agenda, options, losses);
        this.routes = new Routes(links, borders);
        for (int cluster = 0; cluster < scenario.clusters().size(); cluster++) {
            ClusterSpec spec = scenario.clusters().get(cluster);
            borders.add(new SharedLines(stage(spec.accessUp()), stage(spec.accessDown()), stage(spec.lan())));
            for (int index = 0; index < spec.nodes(); index++) {
                boolean isSlowed = slowed.contains(ports.size());
                double up = spec.nodeUp().get(index);
                double down = spec.nodeDown().get(index);
                ports.add(new NodeLines(
                        cluster,
                        spec.nic(),
                        up,
                        down,
                        isSlowed ? newStage(up, Long.MAX_VALUE) : ownStage(up),
                        isSlowed ? newStage(down, options.leastQueueBytes()) : stage(down),
                        ownStage(spec.lanUp()),
                        stage(spec.lanDown()),
                        ownStage(options.sendLimits().bytesPerSecond()),
                        ownStage(options.sendLimits().wanBytesPerSecond())));
            }
        }
    }

    private @Nullable Stage stage(double bytesPerSecond) {
        return Double.isInfinite(bytesPerSecond) ? null : newStage(bytesPerSecond, options.leastQueueBytes());
    }

    /** A stage of the sender itself: its queue is the sender's memory and has no limit. */
    private @Nullable Stage ownStage(double bytesPerSecond) {
        return Double.isInfinite(bytesPerSecond) ? null : newStage(bytesPerSecond, Long.MAX_VALUE);
    }

    private Stage newStage(double bytesPerSecond, long leastQueueBytes) {
        return new Stage(agenda, bytesPerSecond, options.queueNanos(), leastQueueBytes);
    }

    /** Limits both directions of a node's card to this rate, or to the scenario's if that is less. */
    public void slowDown(int rank, double bytesPerSecond) {
        ports.get(rank).slowDown(bytesPerSecond, options.queueNanos());
    }

    /** Links between clusters. */
    public WideAreaLinks links() {
        return links;
    }

    /** Whether traffic from one node to another takes this direction. */
    public boolean goes(ClusterPair pair, int fromRank, int toRank) {
        return ports.get(fromRank).cluster() == pair.from() && ports.get(toRank).cluster() == pair.to();
    }

    /**
     * Connects two nodes.
     *
     * @param low receives at the lower rank
     * @param high receives at the higher rank
     * @return the direction from the lower rank to the higher; null if not both directions have a link
     */
    public @Nullable Connection connect(int lowRank, int highRank, Receiver low, Receiver high) {
        Route up = routes.between(ports.get(lowRank), ports.get(highRank));
        Route down = routes.between(ports.get(highRank), ports.get(lowRank));
        if (up == null || down == null) {
            return null;
        }
        return Connection.pair(this, lowRank, highRank, low, high, up, down);
    }

    Agenda agenda() {
        return agenda;
    }

    NetworkOptions options() {
        return options;
    }

    PieceLayout layout() {
        return layout;
    }

    MessageCodec codec() {
        return codec;
    }

    /** Bytes of the heads of the blocks that this many bytes are cut into. */
    int blockHeadBytes(int bytes) {
        return (bytes + options.blockBytes() - 1) / options.blockBytes() * (FrameHead.BYTES + codec.pieceHeadBytes());
    }

    /** The bytes of as many blocks as it takes for this much or more. */
    int wholeBlocks(long bytes) {
        return (int) ((bytes + options.blockBytes() - 1) / options.blockBytes() * options.blockBytes());
    }

    /**
     * The most that travels as one. Large pieces need no finer grain than a quarter of them, and none at all where they
     * share nothing with others.
     */
    int segmentBytes(boolean unlimited) {
        return unlimited
                ? Math.max(segmentBytes, layout.pieceBytes() + blockHeadBytes(layout.pieceBytes()))
                : segmentBytes;
    }

    /** The least that travels as one, if there is more to send: a packet, or a small part of a large piece. */
    int leastSegmentBytes() {
        return leastSegmentBytes;
    }

    CongestionWindow newWindow() {
        return new CongestionWindow(options.packetDataBytes(), options.firstWindowPackets(), options.maxWindowBytes());
    }

    Segment newSegment(Connection connection) {
        Segment segment = pool;
        if (segment == null) {
            return new Segment(this, connection);
        }
        pool = segment.next;
        return segment.reset(connection);
    }

    void release(Segment segment) {
        segment.next = pool;
        pool = segment;
    }
}
