package org.robber.emulation.simulator;

import java.util.ArrayList;
import java.util.List;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeCounters;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/**
 * A strategy that stays as it is, so that tests of the simulator do not change with the product's: all nodes in a line, rank
 * 0 first; each asks the one before it for the pieces in order, five at a time.
 */
final class Relay implements MulticastStrategy {
    private static final int WINDOW = 5;

    @Override
    public String name() {
        return "relay";
    }

    @Override
    public Overlay planOverlay(Topology topology, long seed) {
        Overlay.Builder line = Overlay.builder(topology);
        for (int rank = 1; rank < topology.size(); rank++) {
            line.connect(rank - 1, rank);
        }
        return line.build();
    }

    @Override
    public MulticastNode createNode(NodeSetup setup) {
        return new Node(setup);
    }

    private static final class Node implements MulticastNode {
        private final int rank;
        private final PieceSet possession;
        private final PieceSet wanted;
        private int asked;

        Node(NodeSetup setup) {
            rank = setup.rank();
            possession = setup.possession().copy();
            wanted = PieceSet.empty(setup.pieceCount());
        }

        @Override
        public List<Action> start(long nowNanos) {
            List<Action> actions = new ArrayList<>();
            end(actions);
            return actions;
        }

        @Override
        public List<Action> handle(long nowNanos, Event event) {
            List<Action> actions = new ArrayList<>();
            if (event instanceof Event.PeerReady ready && ready.peerRank() < rank) {
                while (asked < Math.min(WINDOW, possession.capacity())) {
                    actions.add(new Action.Send(rank - 1, new Message.Request(asked++)));
                }
            } else if (event instanceof Event.Received received
                    && received.message() instanceof Message.Request request) {
                wanted.add(request.piece());
                serve(request.piece(), actions);
            } else if (event instanceof Event.PieceStored stored) {
                possession.add(stored.piece());
                serve(stored.piece(), actions);
                if (asked < possession.capacity()) {
                    actions.add(new Action.Send(rank - 1, new Message.Request(asked++)));
                }
                end(actions);
            }
            return actions;
        }

        private void serve(int piece, List<Action> actions) {
            if (possession.contains(piece) && wanted.remove(piece)) {
                actions.add(new Action.SendPiece(rank + 1, piece));
            }
        }

        private void end(List<Action> actions) {
            if (possession.isFull()) {
                actions.add(new Action.Completed());
                actions.add(new Action.Finished());
            }
        }

        @Override
        public PieceSet possession() {
            return possession;
        }

        @Override
        public NodeCounters counters() {
            return new NodeCounters(0, 0, 0, 0, 0);
        }
    }
}
