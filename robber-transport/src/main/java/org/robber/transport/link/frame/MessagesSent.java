package org.robber.transport.link.frame;

/**
 * What was sent beside the bytes of pieces.
 *
 * @param count messages, with a head of a block for one
 * @param bytes their bytes
 */
public record MessagesSent(long count, long bytes) {
    public static final MessagesSent NONE = new MessagesSent(0, 0);

    public MessagesSent plus(MessagesSent other) {
        return new MessagesSent(count + other.count, bytes + other.bytes);
    }
}
