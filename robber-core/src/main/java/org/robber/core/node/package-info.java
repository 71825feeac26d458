/**
 * A strategy as a state machine: events in, actions out.
 *
 * <p><b>What a driver has to do</b>, in this order, for each multicast and node:
 *
 * <ol>
 *   <li>Make the node with a {@link org.robber.core.node.NodeSetup} that is equal on all nodes, but for rank and
 *       possession. Call {@link org.robber.core.node.MulticastNode#start} once, and perform its actions.
 *   <li>Call {@link org.robber.core.node.MulticastNode#handle} with one event at a time, from one thread at a time. The
 *       time never decreases. Perform all returned actions, in order, before the next call. What performing them brings
 *       about, a failed write for example, comes back as a later event; {@code handle} is never re-entered.
 *   <li>Report {@link org.robber.core.node.Event.PeerReady} for each peer of the overlay, when that peer can be sent
 *       messages of this multicast, and again when a lost connection to it was made anew. Only then pass on what the peer says, in the order in which it was said.
 *   <li>Send what {@link org.robber.core.node.Action.Send} names, in order per peer. {@link
 *       org.robber.core.node.Action.SendPiece} keeps its place in that order or comes later, never earlier. Many small
 *       messages may share a write, but none may wait long behind pieces: a {@code have} that waits idles a neighbour.
 *   <li>Keep the bytes of arriving pieces from the node. Verify and store each piece, and then report {@link
 *       org.robber.core.node.Event.PieceStored}: from that moment on others may be sent the piece, so it must be
 *       readable. Pieces may be reported later than messages that followed them, and in any order. A piece that does
 *       not match its digest is reported as {@link org.robber.core.node.Event.PieceCorrupt}, and its bytes are not kept.
 *       Pass on only pieces that the node requested of that peer; a piece that came twice is harmless.
 *   <li>Report {@link org.robber.core.node.Event.PeerLost} when a connection is gone, also if the peer never became
 *       ready. Report {@link org.robber.core.node.Event.PeerStalled} when nothing comes from a peer that owes pieces, {@link
 *       org.robber.core.node.Event.PeerRevived} when something does again, and {@link
 *       org.robber.core.node.Event.NodeLost} when a node will not come back, to all nodes; then connect as {@link
 *       org.robber.core.topology.OverlayRepair} says. Collect what nodes say of {@link org.robber.core.node.Action.Starved} in
 *       {@link org.robber.core.node.LostPieces}, and tell all nodes what it finds. After {@link org.robber.core.node.Action.Disconnect} close the connection, and report nothing: the node
 *       knows. Pieces of that peer that were complete may still be reported.
 *   <li>Where nodes produce pieces, report {@link org.robber.core.node.Event.PieceProduced} when one was made and can be read. Package
 *       {@code org.robber.core.reduce} says which, and from what.
 *   <li>On {@link org.robber.core.node.Action.Completed} the data is here. Go on: others need this node. On {@link
 *       org.robber.core.node.Action.Finished} flush what is unsent; after that nothing more will be asked or said.
 *   <li>End the multicast by a deadline of your own. A node waits as long as it takes: it does not know how fast the
 *       network is.
 * </ol>
 *
 * <p>A node never throws because of what a peer said. It throws {@link java.lang.IllegalArgumentException} or {@link
 * java.lang.IllegalStateException} where a driver breaks these rules.
 */
@NullMarked
package org.robber.core.node;

import org.jspecify.annotations.NullMarked;
