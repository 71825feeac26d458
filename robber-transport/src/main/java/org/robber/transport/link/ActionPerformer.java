package org.robber.transport.link;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.node.Action;
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.Message;
import org.robber.transport.link.piece.PieceIntake;

/** Performs the actions of the machine of a {@link Transfer}, over the connections that lead to its peers now. */
final class ActionPerformer implements StrategyRunner.Performer {
    private final PieceLayout layout;
    private final PieceIntake intake;
    private final TransferLinks links;
    private final IntUnaryOperator rankOf;
    private final FailureListener failure;
    private final CompletableFuture<Void> completed;
    private final Runnable finished;

    private final Set<PeerLink> unflushed = new LinkedHashSet<>();

    /**
     * @param rankOf the rank of each node, by the number that the machine knows it by
     * @param completed completes when this node has every piece
     * @param finished runs when the machine has nothing left to do
     */
    ActionPerformer(
            PieceLayout layout,
            PieceIntake intake,
            TransferLinks links,
            IntUnaryOperator rankOf,
            FailureListener failure,
            CompletableFuture<Void> completed,
            Runnable finished) {
        this.layout = layout;
        this.intake = intake;
        this.links = links;
        this.rankOf = rankOf;
        this.failure = failure;
        this.completed = completed;
        this.finished = finished;
    }

    @Override
    public void perform(Action action) {
        if (action instanceof Action.Send send) {
            note(send);
            onLinkTo(send.toRank(), action);
        } else if (action instanceof Action.SendPiece send) {
            onLinkTo(send.toRank(), action);
        } else if (action instanceof Action.CancelPiece cancel) {
            onLinkTo(cancel.toRank(), action);
        } else if (action instanceof Action.Disconnect disconnect) {
            sendAway(disconnect.peerRank(), disconnect.why());
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

    private void note(Action.Send send) {
        if (send.message() instanceof Message.Request request) {
            intake.expect(request.piece(), send.toRank());
        } else if (send.message() instanceof Message.Cancel cancel) {
            intake.cancel(cancel.piece(), send.toRank());
        }
    }

    private void sendAway(int peer, String why) {
        PeerLink link = links.remove(peer);
        if (link != null) {
            link.abort(Reason.INTEGRITY.exitCode(), why);
        }
        Set<Integer> left = links.peers().stream().map(rankOf::applyAsInt).collect(Collectors.toSet());
        failure.peer(rankOf.applyAsInt(peer), why, left);
    }

    private void onLinkTo(int rank, Action action) {
        PeerLink link = links.heard(rank);
        if (link == null) {
            // The machine has sent the peer away.
            return;
        }
        unflushed.add(link);
        if (link.channel().eventLoop().inEventLoop()) {
            link.perform(action, links);
        } else {
            link.channel().eventLoop().execute(() -> link.perform(action, links));
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
