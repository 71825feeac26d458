package org.robber.transport.link;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
import org.robber.Storage;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.core.protocol.UnansweredRequests;
import org.robber.core.wire.MessageCodec;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.link.frame.ReadGate;
import org.robber.transport.link.piece.PieceBuffers;
import org.robber.transport.link.piece.PieceDigests;
import org.robber.transport.link.piece.PieceIntake;
import org.robber.transport.link.piece.PieceSupply;
import org.robber.transport.link.piece.WritesUnderWay;
import org.robber.transport.manifest.DigestTable;

/**
 * One multicast on one node: the machine, the pieces on their way in and out, and the connections. Reports events to the machine; an
 * {@link ActionPerformer} performs the machine's actions. Thread-safe.
 */
public final class Transfer {
    /** A small message and the event that carries it. */
    private static final int EVENT_BYTES = 100;

    /** A failed call does not wait longer for what still writes to the memory of its caller, such as an operation that hangs. */
    private static final long LAST_WRITES_SECONDS = 2;

    private final PieceLayout layout;
    private final MessageCodec codec;
    private final IntUnaryOperator rankOf;
    private final IntUnaryOperator requestLimit;
    private final StrategyRunner runner;
    private final ActionPerformer performer;
    private final TransferLinks links;
    private final PieceIntake intake;
    private final PieceSupply supply;
    private final WritesUnderWay writes = new WritesUnderWay();
    private final boolean isInMemory;
    private final PieceBuffers arriving;
    private final PieceBuffers departing;
    private final PieceDigests digests;
    private final PieceSet source;
    private final DigestTable known;
    private final PieceHasher hasher;
    private final TransferTally tally;
    private final CompletableFuture<byte[]> digestsKnown = new CompletableFuture<>();
    private final CompletableFuture<Void> completed = new CompletableFuture<>();
    private final CompletableFuture<Void> nearlyCompleted = new CompletableFuture<>();
    private final CompletableFuture<Void> finished = new CompletableFuture<>();
    private final PieceSet arrivedPieces;
    private volatile IntConsumer stored = piece -> {};

    /**
     * @param rankOf the rank of each node that takes part, by the number that the machine knows it by: the two differ once
     *     nodes were lost
     * @param requestLimit how many requests each of these nodes has outstanding at this one, at most, by the same number
     * @param source the pieces that this node has as a root: the data of the user, who may change them meanwhile; not copied
     * @param known digests of the other pieces that are here from the start; not copied
     */
    public Transfer(
            PieceLayout layout,
            Storage storage,
            PieceSet source,
            DigestTable known,
            MulticastNode node,
            IntUnaryOperator rankOf,
            IntUnaryOperator requestLimit,
            TransferTally tally,
            TransferResources resources,
            FailureListener failure) {
        this.layout = layout;
        this.isInMemory = storage.isInMemory();
        this.arrivedPieces = PieceSet.empty(layout.pieceCount());
        this.codec = new MessageCodec(layout, resources.hasher().digestBytes());
        this.rankOf = rankOf;
        this.requestLimit = requestLimit;
        this.tally = tally;
        this.source = source;
        this.known = known;
        this.hasher = resources.hasher();
        int largestPieceBytes = (int) Math.min(layout.pieceBytes(), Math.max(1, layout.totalBytes()));
        this.arriving = new PieceBuffers(largestPieceBytes, resources.memoryBytes() / 2, PieceBuffers.OF_PROCESS);
        this.departing = new PieceBuffers(largestPieceBytes, resources.memoryBytes() / 2, PieceBuffers.OF_PROCESS);
        this.digests = new PieceDigests(
                known, () -> digestsKnown.complete(resources.hasher().hashAll(known.allBytes())));
        this.intake = new PieceIntake(
                layout,
                storage,
                resources.hasher(),
                digests,
                arriving,
                resources.storageThreads(),
                writes,
                this::arrived,
                failure::here);
        this.links = new TransferLinks(intake, this::tell);
        this.performer = new ActionPerformer(layout, intake, links, rankOf, failure, completed, () -> {
            tally.finished(node.counters());
            finished.complete(null);
        });
        this.runner = new StrategyRunner(resources.executor(), node, performer, resources.nanoTime());
        this.supply = new PieceSupply(
                layout,
                storage,
                source::contains,
                resources.encrypted(),
                resources.hasher(),
                digests,
                departing,
                arriving,
                resources.storageThreads(),
                failure::here);
        completed.whenComplete((here, problem) -> nearlyCompleted.complete(null));
        if (known.known().isFull()) {
            digestsKnown.complete(resources.hasher().hashAll(known.allBytes()));
        }
    }

    /** Sets the listener for pieces that are stored, which is told of each once. To be called before the start. */
    public void onStored(IntConsumer listener) {
        stored = listener;
    }

    /** This node has produced a piece, which can be read from the storage. To be called on the thread that made it. */
    public void produced(int piece) {
        supply.learnMade(piece);
        tally.produced(layout.lengthBytes(piece));
        runner.post(new Event.PieceProduced(piece));
    }

    /** Does something that may write to the storage, unless the transfer is closed. */
    public void write(Runnable work) {
        if (writes.begin()) {
            try {
                work.run();
            } finally {
                writes.end();
            }
        }
    }

    /** Starts the machine; the connections have been told of this transfer. */
    public void start() {
        runner.start();
    }

    /** Reads and hashes pieces that no node has requested of this one. To be called when all others are here. */
    public void readAll() {
        supply.learnAll();
    }

    /** At a root: once it has the pieces of the others, reads those of its own that no node has requested. */
    public void readRest() {
        completed.thenRun(supply::learnAll);
    }

    /** Whether this node has pieces as a root. */
    public boolean hasSource() {
        return !source.isEmpty();
    }

    /** Progress of this node in bytes: at a root bytes that it has read or received, elsewhere bytes that it has received. */
    public long progressBytes() {
        return hasSource()
                ? Math.min(layout.totalBytes(), (long) digests.knownCount() * layout.pieceBytes())
                : tally.progressBytes();
    }

    /** Grows with each byte that comes or is produced. */
    public long activityBytes() {
        return tally.activityBytes();
    }

    MessageCodec codec() {
        return codec;
    }

    /** A new record of what the node of this number asks for. */
    UnansweredRequests unansweredRequests(int number) {
        return new UnansweredRequests(requestLimit.applyAsInt(number), layout.pieceCount());
    }

    PieceIntake intake() {
        return intake;
    }

    PieceSupply supply() {
        return supply;
    }

    /** Completes when this node has every piece, each verified against the digest that it travelled with. */
    public CompletableFuture<Void> completed() {
        return completed;
    }

    /** Completes when this node lacks at most a sixteenth of what it lacked at the start, or the transfer has ended. Never fails. */
    public CompletableFuture<Void> nearlyCompleted() {
        return nearlyCompleted;
    }

    /** Completes when neither this node nor any of its peers has a message left to send. */
    public CompletableFuture<Void> finished() {
        return finished;
    }

    /** The digest over the digests of all pieces, once they are all known here. */
    public CompletableFuture<byte[]> digestOfAll() {
        return digestsKnown;
    }

    /** The digest over the digests of these pieces, once {@link #digestOfAll} is known. */
    public byte[] digestOf(int firstPiece, int endPiece) {
        int digestBytes = hasher.digestBytes();
        return hasher.hash(
                ByteBuffer.wrap(known.allBytes(), firstPiece * digestBytes, (endPiece - firstPiece) * digestBytes));
    }

    /** The connections that lead to the peers now. */
    TransferLinks links() {
        return links;
    }

    /** The node, peer or not, is lost to the job. */
    public void nodeLost(int number) {
        runner.post(new Event.NodeLost(number));
    }

    /** The peer will not come, unless a connection leads to it. */
    public void peerLost(int peer) {
        links.loseIfAbsent(peer);
    }

    /** The peer owes pieces and sends nothing. */
    void peerStalled(int peer) {
        runner.post(new Event.PeerStalled(peer));
    }

    /** Something came from a peer that had stalled, if only a keep-alive. */
    void peerRevived(int peer) {
        runner.post(new Event.PeerRevived(peer));
    }

    /** The gate of the connection counts the message until it is handled. */
    void received(int fromNumber, Message message, ReadGate gate) {
        if (message instanceof Message.Reject reject) {
            intake.forget(reject.piece(), fromNumber);
        }
        runner.post(new Event.Received(fromNumber, message), gate, memoryBytes(message));
    }

    /**
     * About how much memory a decoded message takes, or its answer. A set of pieces takes a bit for each piece, however few bytes it came
     * in.
     */
    private int memoryBytes(Message message) {
        boolean hasSet = switch (message.type()) {
            case DESIRE, BITFIELD, STEAL, WORK -> true;
            default -> false;
        };
        return EVENT_BYTES + (hasSet ? layout.pieceCount() / Byte.SIZE : 0);
    }

    /** All bytes of a block are at their place. */
    void blockReceived(int fromNumber, PieceBlock block) {
        tally.arrived(block.piece(), block.lengthBytes());
        if (block.offsetBytes() == 0) {
            runner.post(new Event.PieceBegun(fromNumber, block.piece(), block.waiting()));
        }
        intake.received(fromNumber, block);
    }

    private void tell(Event event, Runnable before) {
        runner.post(event, before);
    }

    private void arrived(Event event) {
        if (event instanceof Event.PieceStored here) {
            boolean isNew;
            synchronized (arrivedPieces) {
                isNew = arrivedPieces.add(here.piece());
            }
            tally.received(rankOf.applyAsInt(here.fromRank()), here.piece(), layout.lengthBytes(here.piece()), isNew);
            runner.post(event);
            if (isNew) {
                if (tally.lacksLittle()) {
                    nearlyCompleted.complete(null);
                }
                stored.accept(here.piece());
            }
        } else {
            tally.corrupt();
            runner.post(event);
        }
    }

    /** Bytes of a block have left for a peer. */
    void sent(int toRank, int blockBytes) {
        tally.sent(toRank, blockBytes);
    }

    /** A defect here ends the multicast. */
    void crashed(Throwable defect) {
        performer.crashed(defect);
    }

    /** Ends the transfer: its memory is given back. Its futures fail with this cause, once nothing is written to the memory of the caller. */
    public void close(Throwable why) {
        release();
        CompletableFuture<Void> written = writes.close();
        if (isInMemory) {
            var unused = written.completeOnTimeout(null, LAST_WRITES_SECONDS, TimeUnit.SECONDS)
                    .thenRun(() -> fail(why));
        } else {
            fail(why);
        }
    }

    private void fail(Throwable why) {
        completed.completeExceptionally(why);
        digestsKnown.completeExceptionally(why);
        finished.completeExceptionally(why);
    }

    /** Gives back the memory of a transfer that is finished. */
    public void release() {
        runner.stop();
        intake.close();
        supply.close();
        arriving.close();
        departing.close();
    }
}
