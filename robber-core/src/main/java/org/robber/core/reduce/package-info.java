/**
 * Reductions: which node combines what, in which order, so that the nodes of a multicast strategy bring all inputs to their place.
 *
 * <p><b>What a driver has to do</b> besides what {@link org.robber.core.node} says:
 *
 * <ol>
 *   <li>Run the call with {@link org.robber.core.reduce.ReductionPlan#placement}. All pieces have the size of a chunk. A piece is a
 *       contribution, a partial result or a result; {@link org.robber.core.reduce.ReductionPlan#contributionPiece} and {@link
 *       org.robber.core.reduce.ReductionPlan#resultPiece} say which pieces lie in the buffers of the user. All others need memory for
 *       as long as they are inputs.
 *   <li>After each {@link org.robber.core.node.Event.PieceStored} and {@link org.robber.core.node.Event.PieceProduced}, ask {@link
 *       org.robber.core.reduce.ReadyProducts} which product has all its inputs. Combine them in the given order, off the event loop. Then
 *       tell the node {@link org.robber.core.node.Event.PieceProduced}. A single input is copied.
 *   <li>Pass {@link org.robber.core.node.Action.Starved} on only while nothing is being combined: a product that is on its way is not
 *       lost. A product counts as progress of this node.
 * </ol>
 */
@NullMarked
package org.robber.core.reduce;

import org.jspecify.annotations.NullMarked;
