package org.robber.transport.link;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.node.Action;
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.Message;

/** Performs the actions of the machine of a {@link Transfer}, over the connections that lead to its peers now. */
final class ActionPerformer implements StrategyRunner.Performer {
    private final PieceLayout layout;
    private final PieceIntake intake;
    private final IntUnaryOperator rankOf;
    private final FailureListener failure;
    private final CompletableFuture<Void> completed;
    private final Runnable finished;

    /** Connections to the peers that are there, by the number by which the machine knows them. */
    private final Map<Integer, PeerLink> links = new ConcurrentHashMap<>();

    private final Set<PeerLink> unflushed = new LinkedHashSet<>();

    /**
     * @param rankOf the rank of each node, by the number that the machine knows it by
     * @param completed completes when this node has every piece
     * @param finished runs when the machine has nothing left to do
     */
    ActionPerformer(
            PieceLayout layout,
            PieceIntake intake,
            IntUnaryOperator rankOf,
            FailureListener failure,
            CompletableFuture<Void> completed,
            Runnable finished) {
        this.layout = layout;
        this.intake = intake;
        this.rankOf = rankOf;
        this.failure = failure;
        this.completed = completed;
        this.finished = finished;
    }

    /** From now on, the peer is reached by this connection. Any thread. */
    void attach(int peer, PeerLink link) {
        links.put(peer, link);
    }

    /** The connection is of no use any more; returns whether no other has taken its place. Any thread. */
    @SuppressWarnings("ReferenceEquality") // another connection to the same peer has taken its place
    boolean detach(int peer, PeerLink link) {
        PeerLink current = links.get(peer);
        boolean last = current == null || current == link;
        if (last) {
            links.remove(peer, link);
        }
        return last;
    }

    @Override
    public void perform(Action action) {
        if (action instanceof Action.Send send) {
            if (send.message() instanceof Message.Request request) {
                intake.expect(request.piece(), send.toRank());
            } else if (send.message() instanceof Message.Cancel cancel) {
                intake.cancel(cancel.piece(), send.toRank());
            }
            onLinkTo(send.toRank(), action);
        } else if (action instanceof Action.SendPiece send) {
            onLinkTo(send.toRank(), action);
        } else if (action instanceof Action.CancelPiece cancel) {
            onLinkTo(cancel.toRank(), action);
        } else if (action instanceof Action.Disconnect disconnect) {
            int peer = disconnect.peerRank();
            PeerLink link = links.remove(peer);
            if (link != null) {
                link.abort(Reason.INTEGRITY.exitCode(), disconnect.why());
            } else {
                intake.forgetAllFrom(peer);
            }
            Set<Integer> left = links.keySet().stream().map(rankOf::applyAsInt).collect(Collectors.toSet());
            failure.peer(rankOf.applyAsInt(peer), disconnect.why(), left);
        } else if (action instanceof Action.Starved starved) {
            failure.starved(starved.pieces());
        } else if (action instanceof Action.Incomplete incomplete) {
            failure.here(new RobberException(
                    Reason.NETWORK,
                    List.of(),
                    "multicast",
                    incomplete.pieces().size() + " of " + layout.pieceCount()
                            + " pieces were lost with the nodes that had them"));
        } else if (action instanceof Action.Completed) {
            completed.complete(null);
        } else if (action instanceof Action.Finished) {
            finished.run();
        }
    }

    private void onLinkTo(int rank, Action action) {
        PeerLink link = links.get(rank);
        if (link == null) {
            // The peer is lost, and the machine hears of it next.
            return;
        }
        unflushed.add(link);
        if (link.channel().eventLoop().inEventLoop()) {
            carryOut(action, link);
        } else {
            link.channel().eventLoop().execute(() -> carryOut(action, link));
        }
    }

    private static void carryOut(Action action, PeerLink link) {
        if (action instanceof Action.Send send) {
            link.send(send.message());
        } else if (action instanceof Action.SendPiece send) {
            link.sendPiece(send.piece());
        } else if (action instanceof Action.CancelPiece cancel) {
            link.cancelPiece(cancel.piece());
        }
    }

    @Override
    public void endOfBatch() {
        for (PeerLink link : unflushed) {
            if (link.channel().eventLoop().inEventLoop()) {
                link.flush();
            } else {
                link.channel().eventLoop().execute(link::flush);
            }
        }
        unflushed.clear();
    }

    @Override
    public void crashed(Throwable defect) {
        failure.here(defect);
    }
}
