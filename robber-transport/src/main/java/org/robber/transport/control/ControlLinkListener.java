package org.robber.transport.control;

/** Receives the messages of a {@link ControlLink}, and its end. Called on its event loop. */
public interface ControlLinkListener {

    /** Both sides have proven the secret: messages may be sent. */
    default void greeted(ControlLink link) {}

    /** The other side has sent a message other than {@code ALIVE}. */
    void received(ControlLink link, ControlMessage message);

    /**
     * The other side has been silent for too long, at this beat, too. Ends the connection, now or at a later beat.
     *
     * @param why for people
     */
    default void silent(ControlLink link, String why) {
        link.close(why);
    }

    /**
     * The connection has ended: the last call.
     *
     * @param why for people, such as {@code its process ended or its network broke}
     */
    void ended(ControlLink link, String why);
}
