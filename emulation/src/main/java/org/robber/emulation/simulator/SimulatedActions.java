package org.robber.emulation.simulator;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.TimerKey;
import org.robber.core.protocol.Message;
import org.robber.emulation.simulator.agenda.Agenda;
import org.robber.emulation.simulator.agenda.ScheduledEvent;
import org.robber.emulation.simulator.network.Connection;

/** Performs the actions of the state machine of one node. */
final class SimulatedActions {
    private final SimulatedNode node;
    private final PeerConnections peers;
    private final SimulatedRequests requests;
    private final Inbox inbox;
    private final Agenda agenda;
    private final RunContext context;
    private final Map<TimerKey, Timer> timers = new EnumMap<>(TimerKey.class);

    SimulatedActions(
            SimulatedNode node,
            PeerConnections peers,
            SimulatedRequests requests,
            Inbox inbox,
            Agenda agenda,
            RunContext context) {
        this.node = node;
        this.peers = peers;
        this.requests = requests;
        this.inbox = inbox;
        this.agenda = agenda;
        this.context = context;
    }

    /** A timer of the machine. */
    private final class Timer extends ScheduledEvent {
        private final TimerKey key;

        Timer(TimerKey key) {
            this.key = key;
        }

        @Override
        protected void happen(long nowNanos) {
            node.tell(new Event.TimerFired(key));
        }
    }

    void perform(List<Action> actions) {
        for (int i = 0; i < actions.size(); i++) {
            perform(actions.get(i));
        }
    }

    private void perform(Action action) {
        if (action instanceof Action.Send send) {
            send(peers.indexOf(send.toRank()), send.message());
        } else if (action instanceof Action.SendPiece send) {
            sendPiece(peers.indexOf(send.toRank()), send.piece());
        } else if (action instanceof Action.CancelPiece cancel) {
            Connection connection = peers.get(peers.indexOf(cancel.toRank()));
            if (connection != null) {
                connection.cancelPiece(cancel.piece());
            }
        } else if (action instanceof Action.SetTimer timer) {
            agenda.put(timers.computeIfAbsent(timer.key(), Timer::new), Math.max(timer.atNanos(), agenda.nowNanos()));
        } else if (action instanceof Action.Disconnect disconnect) {
            disconnect(peers.indexOf(disconnect.peerRank()));
        } else if (action instanceof Action.Starved starved) {
            // A product that is being made is not lost. When it is made, the node looks again.
            if (!node.isCombining()) {
                context.starved(node, starved.pieces());
            }
        } else if (action instanceof Action.Incomplete incomplete) {
            context.incomplete(node, incomplete.pieces());
        } else if (action instanceof Action.Completed) {
            context.completed(node, agenda.nowNanos());
        } else if (action instanceof Action.Finished) {
            context.finished(node);
        }
    }

    private void send(int peerIndex, Message message) {
        context.sent(node, peers.ranks()[peerIndex], message);
        Connection connection = peers.speaking(peerIndex);
        if (connection != null) {
            if (message instanceof Message.Request request) {
                requests.requested(request.piece(), connection.toRank(), agenda.nowNanos());
            } else if (message instanceof Message.Cancel cancel) {
                requests.cancelled(cancel.piece(), connection.toRank());
            }
            connection.send(message);
        }
    }

    private void sendPiece(int peerIndex, int piece) {
        context.pieceSent(node, peers.ranks()[peerIndex], piece);
        Connection connection = peers.speaking(peerIndex);
        if (connection != null) {
            double costNanos = context.sendingNanos(piece);
            if (costNanos > 0) {
                inbox.occupy(costNanos);
            }
            connection.sendPiece(piece);
        }
    }

    private void disconnect(int peerIndex) {
        Connection connection = forget(peerIndex);
        if (connection != null) {
            connection.end(0);
        }
    }

    /** Removes the connection to a peer and returns it. */
    @Nullable
    Connection forget(int peerIndex) {
        requests.lost(peers.ranks()[peerIndex]);
        return peers.remove(peerIndex);
    }

    /** Removes all timers: the machine starts again. */
    void restarted() {
        timers.values().forEach(agenda::remove);
        timers.clear();
    }
}
