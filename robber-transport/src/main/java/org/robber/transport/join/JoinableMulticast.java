package org.robber.transport.join;

import org.robber.core.protocol.Message.Begin;

/**
 * A multicast that nodes may join.
 *
 * @param channel number of its channel
 * @param begin the terms that its members have exchanged
 * @param description the application's description of the data, of any length
 */
@SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never copied or compared here
public record JoinableMulticast(int channel, Begin begin, byte[] description) {}
