package org.robber.transport.control;

/** What happens on a {@link ControlLink}; told on its event loop. */
public interface ControlLinkListener {

    /** Both sides have proven the secret: messages may be sent. */
    default void greeted(ControlLink link) {}

    /** The other side said something, other than that it is alive. */
    void received(ControlLink link, ControlMessage message);

    /**
     * The connection has ended; the last that is heard of it.
     *
     * @param why for people, such as {@code its process ended or its network broke}
     */
    void ended(ControlLink link, String why);
}
