package org.robber.core.protocol;

import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceSet;

/**
 * What peers say to each other during a multicast. Piece sets in messages belong to the message: sender and receiver
 * never change them.
 */
public sealed interface Message {

    /** The kind of this message; the switch over it is the exhaustive one. */
    MessageType type();

    /** Which pieces of a desire the sender possesses: the answer to {@link Desire}. */
    record Bitfield(PieceSet pieces) implements Message {
        @Override
        public MessageType type() {
            return MessageType.BITFIELD;
        }
    }

    /** The sender got a piece that the receiver desires and did not send to it. */
    record Have(int piece) implements Message {
        @Override
        public MessageType type() {
            return MessageType.HAVE;
        }
    }

    /** The sender wants this piece; the answer is the piece, or {@link Reject}. */
    record Request(int piece) implements Message {
        @Override
        public MessageType type() {
            return MessageType.REQUEST;
        }
    }

    /** A request that will not be answered: the piece isn't possessed here. */
    record Reject(int piece) implements Message {
        @Override
        public MessageType type() {
            return MessageType.REJECT;
        }
    }

    /** A request that was made is no longer wanted; the piece may still come. */
    record Cancel(int piece) implements Message {
        @Override
        public MessageType type() {
            return MessageType.CANCEL;
        }
    }

    /**
     * The head of a block of a piece; the block's bytes follow it on the wire and never enter the core. Drivers alone
     * send and receive it.
     *
     * @param piece the piece that the block is part of
     * @param offsetBytes where the block begins inside the piece
     * @param lengthBytes length of the block; the blocks of a piece come in order, without gaps
     * @param waiting how many pieces waited at the sender for the receiver, behind this one, when it began to leave
     * @param digest digest of the whole piece, the same in each of its blocks
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never copied or compared here
    record PieceBlock(int piece, int offsetBytes, int lengthBytes, int waiting, byte[] digest) implements Message {
        @Override
        public MessageType type() {
            return MessageType.PIECE;
        }
    }

    /** What the sender wants from the receiver; replaces all that it desired before. */
    record Desire(PieceSet pieces) implements Message {
        @Override
        public MessageType type() {
            return MessageType.DESIRE;
        }
    }

    /**
     * Give me some of your work.
     *
     * @param piecesStolen what the sender has stolen from other clusters so far: how fast it is
     * @param workPieces the work that it has left
     */
    record Steal(int piecesStolen, int workPieces) implements Message {
        @Override
        public MessageType type() {
            return MessageType.STEAL;
        }
    }

    /** The answer to {@link Steal}: pieces that are the receiver's work from now on; empty if there are none to spare. */
    record Work(PieceSet pieces) implements Message {
        @Override
        public MessageType type() {
            return MessageType.WORK;
        }
    }

    /** The sender has work that may be stolen: again, or from the start. */
    record FoundWork() implements Message {
        @Override
        public MessageType type() {
            return MessageType.FOUND_WORK;
        }
    }

    /** The sender possesses everything, and goes on serving. */
    record Done() implements Message {
        @Override
        public MessageType type() {
            return MessageType.DONE;
        }
    }

    /** Sender and receiver are both done: the last message of this multicast to this peer. */
    record Stop() implements Message {
        @Override
        public MessageType type() {
            return MessageType.STOP;
        }
    }

    /**
     * The sender takes part in a multicast: the first message of each multicast to each peer. Drivers alone send and
     * compare it, so that calls that do not match are named instead of hung on.
     *
     * @param sequence number of the multicast on this channel, from 0
     * @param rootRank the node that possesses the data
     * @param totalBytes size of the data
     * @param pieceBytes size of a piece, but for the last
     * @param strategy name of the strategy
     * @param digest name of the digest
     */
    record Begin(long sequence, int rootRank, long totalBytes, int pieceBytes, String strategy, String digest)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.BEGIN;
        }

        // By hand: what a record brings along is built by method handles when it first runs, which takes 12 ms of a
        // job's start.
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Begin begin
                    && sequence == begin.sequence
                    && rootRank == begin.rootRank
                    && totalBytes == begin.totalBytes
                    && pieceBytes == begin.pieceBytes
                    && strategy.equals(begin.strategy)
                    && digest.equals(begin.digest);
        }

        @Override
        public int hashCode() {
            return Long.hashCode(sequence) * 31 + Long.hashCode(totalBytes);
        }
    }

    /** Nothing to say, but alive. Drivers alone send and receive it. */
    record KeepAlive() implements Message {
        @Override
        public MessageType type() {
            return MessageType.KEEP_ALIVE;
        }
    }

    /** The sender gives up and says why; the connection ends after it. Drivers alone send and receive it. */
    record Abort(int code, String reason) implements Message {
        @Override
        public MessageType type() {
            return MessageType.ABORT;
        }
    }

    /** BitTorrent: the receiver may not request anything until {@link Unchoke}; what it has requested is still answered. */
    record Choke() implements Message {
        @Override
        public MessageType type() {
            return MessageType.CHOKE;
        }
    }

    /** BitTorrent: the receiver may request what the sender possesses. */
    record Unchoke() implements Message {
        @Override
        public MessageType type() {
            return MessageType.UNCHOKE;
        }
    }

    /** BitTorrent: the receiver possesses something that the sender lacks. */
    record Interested() implements Message {
        @Override
        public MessageType type() {
            return MessageType.INTERESTED;
        }
    }

    /** BitTorrent: the receiver possesses nothing any more that the sender lacks. */
    record NotInterested() implements Message {
        @Override
        public MessageType type() {
            return MessageType.NOT_INTERESTED;
        }
    }
}
