/**
 * The testbed's own wide-area network: a small process between the clusters' routers that gives every ordered pair of
 * clusters its rate, delay, queue and loss.
 *
 * <p>{@link org.robber.emulation.testbed.wan.TunWan} starts and steers it from outside. Inside, {@code WanLoop} moves packets
 * between devices and the pure part: {@code Fabric}, a graph of queues in virtual time.
 */
@NullMarked
package org.robber.emulation.testbed.wan;

import org.jspecify.annotations.NullMarked;
