package org.robber.transport.join;

import org.robber.core.protocol.Message.Begin;

/**
 * A multicast that nodes may join.
 *
 * @param channel number of its channel
 * @param begin what its members have said to one another
 * @param description what the application tells those that join, of any length
 */
@SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never copied or compared here
public record JoinableMulticast(int channel, Begin begin, byte[] description) {}
