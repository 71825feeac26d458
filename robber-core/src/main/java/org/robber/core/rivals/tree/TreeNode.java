package org.robber.core.rivals.tree;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.NodeCounters;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.TimerKey;
import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.rivals.tree.plan.Stripe;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Topology;
import org.robber.core.transfer.Ending;
import org.robber.core.transfer.EventRouter;
import org.robber.core.transfer.Outbox;
import org.robber.core.transfer.Possession;
import org.robber.core.transfer.ProtocolBreach;
import org.robber.core.transfer.Tally;

/** One node of a call along trees: {@link StripeReceiver} and {@link Forwarding}. It passes on pieces that it does not want itself. */
final class TreeNode implements MulticastNode, EventRouter.Listener {
    /** How long a node without a connected ancestor waits for one to come back, from the last time that a connection was lost. */
    private static final long RETURN_NANOS = 10_000_000_000L;

    private static final String NONE_ABOVE = "no node above is left";

    private static final double NANOS_PER_SECOND = 1e9;

    private final Tally tally = new Tally();
    private final Outbox outbox = new Outbox();
    private final EventRouter router;
    private final Possession possession;
    private final StripeReceiver receiver;
    private final Forwarding forwarding;
    private final Ending ending;
    private final PeerTable peers;
    private final DataPlacement placement;

    /** The pieces that this node produces. */
    private final PieceSet products;

    private boolean waitsForReturn;
    private long lastLossNanos;
    private long nowNanos;

    /**
     * A node that has not begun.
     *
     * @param routes the plan for the placement of the setup
     */
    TreeNode(NodeSetup setup, CallRoutes routes) {
        peers = new PeerTable(setup);
        placement = setup.placement();
        products = placement.producedBy(setup.rank());
        possession = new Possession(setup.possession(), routes.wantedOrPassedOn(setup));
        router = new EventRouter(peers, outbox, this);
        int[] firstPieces = routes.firstPieces();
        int[] windows = StripeWindows.of(routes, setup.rank());
        ImmutableList.Builder<StripeSource> stripeSources = ImmutableList.builder();
        ImmutableList.Builder<int[]> children = ImmutableList.builder();
        ImmutableList.Builder<ImmutableList<SendSchedule>> schedules = ImmutableList.builder();
        for (int i = 0; i < routes.trees().size(); i++) {
            Stripe stripe = routes.trees().get(i);
            stripeSources.add(new StripeSource(
                    firstPieces[i], firstPieces[i + 1], windows[i], ancestors(setup.rank(), stripe, peers)));
            children.add(stripe.children(setup.rank()));
            schedules.add(schedules(setup, stripe));
        }
        receiver = new StripeReceiver(possession, stripeSources.build(), firstPieces, tally, outbox);
        forwarding = new Forwarding(possession, receiver, children.build(), schedules.build(), outbox);
        ending = new Ending(possession, peers, outbox);
    }

    /** The ancestors in the tree that are peers of this node, the parent first. */
    private static ImmutableList<Peer> ancestors(int rank, Stripe stripe, PeerTable peers) {
        ImmutableList.Builder<Peer> ancestors = ImmutableList.builder();
        for (int ancestor = stripe.parent(rank); ancestor != Stripe.NONE; ancestor = stripe.parent(ancestor)) {
            Peer peer = peers.find(ancestor);
            if (peer != null) {
                ancestors.add(peer);
            }
        }
        return ancestors.build();
    }

    /** Only connections that leave the root's cluster have a schedule: behind them, pieces cannot arrive any faster. */
    private static ImmutableList<SendSchedule> schedules(NodeSetup setup, Stripe stripe) {
        Topology topology = setup.topology();
        if (stripe.bytesPerSecond() == 0 || !topology.sameCluster(setup.rank(), setup.rootRank())) {
            return ImmutableList.of();
        }
        double pieceNanos = setup.pieceBytes() / stripe.bytesPerSecond() * NANOS_PER_SECOND;
        List<SendSchedule> schedules = new ArrayList<>();
        for (int child : stripe.children(setup.rank())) {
            if (!topology.sameCluster(setup.rank(), child)) {
                schedules.add(new SendSchedule(child, pieceNanos));
            }
        }
        return ImmutableList.copyOf(schedules);
    }

    @Override
    public List<Action> start(long nowNanos) {
        router.start();
        ending.completeIfNothingIsLacked();
        return outbox.drain();
    }

    @Override
    public List<Action> handle(long nowNanos, Event event) {
        this.nowNanos = nowNanos;
        forwarding.advanceTo(nowNanos);
        router.route(event);
        return outbox.drain();
    }

    @Override
    public void peerReady(Peer peer) {
        receiver.fillFrom(peer);
        ending.peerReady(peer);
    }

    @Override
    public void received(Peer peer, Message message) {
        switch (message.type()) {
            case REQUEST -> requestReceived(peer, ((Message.Request) message).piece());
            case CANCEL -> forwarding.cancelReceived(peer, ((Message.Cancel) message).piece());
            case REJECT -> receiver.rejectReceived(peer, ((Message.Reject) message).piece());
            case DONE -> ending.doneReceived(peer);
            case STOP -> ending.stopReceived(peer);
            default -> throw new ProtocolBreach(message.type() + " has no place in this strategy");
        }
    }

    private void requestReceived(Peer peer, int piece) {
        forwarding.requestReceived(peer, piece);
        if (possession.givenUp().contains(piece)) {
            router.disconnect(peer, NONE_ABOVE);
        }
    }

    @Override
    public void pieceStored(Peer from, int piece) {
        if (receiver.pieceStored(from, piece)) {
            forwarding.pieceStored(piece);
            ending.completeIfNothingIsLacked();
        }
    }

    @Override
    public void pieceProduced(int piece) {
        if (possession.add(piece)) {
            forwarding.pieceStored(piece);
            ending.completeIfNothingIsLacked();
        }
    }

    @Override
    public void pieceCorrupt(Peer from, int piece) {
        if (!receiver.pieceCorrupt(from, piece) && !from.isLost()) {
            router.disconnect(from, "too many corrupt pieces");
        }
    }

    @Override
    public void peerLost(Peer peer) {
        lastLossNanos = nowNanos;
        forwarding.peerLost(peer);
        receiver.peerLost(peer);
        ending.peerLost();
        endIfCutOff();
    }

    @Override
    public void nodeLost(@Nullable Peer lost) {
        endIfCutOff();
    }

    @Override
    public void givenUp(PieceSet pieces) {
        possession.giveUp(pieces);
        possession.giveUp(productsWithoutInputs());
        for (int rank : forwarding.waitingFor(possession.givenUp())) {
            Peer child = peers.find(rank);
            if (child != null && !child.isLost()) {
                // It continues with its next ancestor, if there is one.
                router.disconnect(child, NONE_ABOVE);
            }
        }
        ending.completeIfNothingIsLacked();
    }

    /** The lacked pieces that this node neither gets from an ancestor nor produces; a new set. */
    private PieceSet cutOff() {
        PieceSet cutOff = receiver.cutOff();
        cutOff.removeAll(products);
        return cutOff;
    }

    /** The products that this node cannot make: an input, of a lower number, is given up. A new set. */
    private PieceSet productsWithoutInputs() {
        PieceSet without = PieceSet.empty(possession.pieceCount());
        for (int piece = products.first(); piece >= 0; piece = products.nextFrom(piece + 1)) {
            if (possession.lacks(piece)
                    && placement.inputsOf(piece).stream()
                            .anyMatch(input -> possession.givenUp().contains(input) || without.contains(input))) {
                without.add(piece);
            }
        }
        return without;
    }

    /** A tree is not repaired: a node without ancestors ends with the pieces that it has, unless an ancestor comes back. */
    private void endIfCutOff() {
        PieceSet cutOff = cutOff();
        if (cutOff.isEmpty()) {
            return;
        }
        if (receiver.isCutOffForever(cutOff)) {
            givenUp(cutOff);
        } else if (!waitsForReturn) {
            waitsForReturn = true;
            outbox.add(new Action.SetTimer(TimerKey.NO_PROGRESS, lastLossNanos + RETURN_NANOS));
        }
    }

    @Override
    public void timerFired(TimerKey key) {
        if (key == TimerKey.NO_PROGRESS) {
            waitsForReturn = false;
            if (nowNanos - lastLossNanos < RETURN_NANOS) {
                // One came back since the timer was set, and was lost again.
                endIfCutOff();
            } else {
                givenUp(cutOff());
            }
        } else if (!ending.isFinished()) {
            forwarding.timerFired();
        }
    }

    @Override
    public PieceSet possession() {
        return possession.pieces();
    }

    @Override
    public NodeCounters counters() {
        return tally.snapshot();
    }
}
