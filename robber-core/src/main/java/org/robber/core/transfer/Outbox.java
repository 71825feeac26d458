package org.robber.core.transfer;

import java.util.ArrayList;
import java.util.List;
import org.robber.core.node.Action;
import org.robber.core.peer.Peer;
import org.robber.core.protocol.Message;

/** Collects the actions of a node, in order. */
public final class Outbox {
    private List<Action> actions = new ArrayList<>();

    /** Asks for an action. */
    public void add(Action action) {
        actions.add(action);
    }

    /** Asks to send a message. */
    public void send(Peer peer, Message message) {
        actions.add(new Action.Send(peer.rank(), message));
    }

    /** Returns the collected actions and removes them. */
    public List<Action> drain() {
        if (actions.isEmpty()) {
            return List.of();
        }
        List<Action> drained = actions;
        actions = new ArrayList<>();
        return drained;
    }
}
