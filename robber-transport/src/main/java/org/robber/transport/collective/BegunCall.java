package org.robber.transport.collective;

import org.robber.transport.collective.CallMeetings.Stage;
import org.robber.transport.collective.ExchangeTurns.Turn;
import org.robber.transport.collective.member.CallProgress;

/**
 * A call under way, which may have an exchange.
 *
 * @param number of the call in its communicator
 * @param stage of its next meeting
 * @param name for people, and compared between members
 * @param turn to hand over the exchange
 */
record BegunCall(long number, Stage stage, String name, Turn turn, CallProgress progress) {
    /** The same at another stage. */
    BegunCall at(Stage next) {
        return new BegunCall(number, next, name, turn, progress);
    }

    /** The movement of its data, once members have told of them. */
    BegunCall ofData() {
        return new BegunCall(number, Stage.DATA, name + ", data", turn, progress);
    }
}
