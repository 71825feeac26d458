package org.robber.transport.job;

import com.google.common.primitives.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.job.peer.MulticastGroup;
import org.robber.transport.job.peer.Nearness;
import org.robber.transport.job.peer.PeerLinks;
import org.robber.transport.link.frame.MessagesSent;
import org.robber.transport.rendezvous.BlockingCalls;
import org.robber.transport.rendezvous.ControlPlane.CollectiveCall;
import org.robber.transport.storage.UserStorage;

/**
 * A multicast of few bytes from one root, which publishes them through rank 0, with their digest. Each node then has them after two messages in a row. In
 * pieces it would take seven.
 */
final class PublishedMulticast extends MulticastFromOneRoot {
    /** Bytes that rank 0 sends to all nodes together. A line of 1 MB/s needs as long for them as for the trips of a multicast in pieces. */
    private static final int MOST_BYTES = 1 << 16;

    /** The same where no line is long. A card of 1 Gbit/s needs 8 ms for them. */
    private static final int MOST_NEAR_BYTES = 1 << 20;

    private final PieceHasher hasher;
    private final String topic;
    private final int bytes;
    private final CollectiveCall collectiveCall;
    private final CompletableFuture<byte[]> publication;

    /**
     * A multicast that has begun.
     *
     * @throws RobberException if the root was lost in an earlier multicast
     */
    PublishedMulticast(
            TransferFactory transfers,
            NettyJob job,
            PeerLinks links,
            MulticastGroup group,
            long channelNumber,
            long sequence,
            Storage data,
            int bytes,
            int rootRank) {
        super(transfers, job, links, group, CallTerms.phase(sequence, channelNumber), data, rootRank);
        this.hasher = transfers.hasher();
        this.topic = "data of multicast " + sequence + " on channel " + channelNumber;
        this.publication = job.publication(rootRank, topic);
        this.bytes = bytes;
        this.collectiveCall = job.context()
                .controlPlane()
                .begin(phase() + " of " + bytes + " bytes from rank " + rootRank + ", published");
    }

    /** The size of the largest data that are published. One message carries them. */
    static int mostBytes(Nearness nearness) {
        int nodes = Math.max(2, nearness.topology().size());
        return (nearness.hasLongLines() ? MOST_BYTES : MOST_NEAR_BYTES) / nodes;
    }

    /** Publishes the data at the root; elsewhere waits for them without blocking. */
    void start() {
        job.lost().forEach(this::lost);
        if (isRoot()) {
            job.context().storageThreads().execute(this::publish);
        } else {
            // If the job fails, so does the publication, and this is closed.
            publication.thenAcceptAsync(this::received, job.context().storageThreads());
        }
    }

    private void publish() {
        try {
            ByteBuffer content = ByteBuffer.allocate(bytes);
            if (bytes > 0) {
                UserStorage.read(data, 0, content);
            }
            content.flip();
            if (!isOver()) {
                job.context().controlPlane().publish(topic, Bytes.concat(hasher.hash(content), content.array()));
                countPublished();
                hasAll(collectiveCall);
            }
        } catch (IOException | RuntimeException | Error e) {
            failures.here(e);
        }
    }

    private void received(byte[] published) {
        try {
            byte[] digest = Arrays.copyOf(published, hasher.digestBytes());
            ByteBuffer content = ByteBuffer.wrap(published, digest.length, published.length - digest.length);
            if (content.remaining() != bytes || !Arrays.equals(hasher.hash(content), digest)) {
                throw new RobberException(
                        Reason.INTEGRITY,
                        List.of(job.rank()),
                        phase(),
                        "what rank " + rootRank + " has published does not match its digest here");
            }
            if (!isOver()) {
                if (bytes > 0) {
                    UserStorage.write(data, 0, content);
                }
                countReceived(job.rank() == 0 ? rootRank : 0, bytes);
                if (job.rank() == 0) {
                    countPublished();
                }
                hasAll(collectiveCall);
            }
        } catch (IOException | RuntimeException | Error e) {
            failures.here(e);
        }
    }

    /** Publications go from the root to rank 0, and from there to everyone. */
    private void countPublished() {
        List<Integer> receivers = job.rank() == 0 ? others() : List.of(0);
        countSent(receivers, bytes);
        tally.sent(new MessagesSent(receivers.size(), (long) receivers.size() * hasher.digestBytes()));
    }

    @Override
    void awaitEnd(BlockingCalls waiting) {
        try {
            super.awaitEnd(waiting);
        } finally {
            job.forgetPublication(rootRank, topic);
        }
    }

    /** Rank 0 gets a publication first. If it lacks that of a lost root, no node gets it. */
    @Override
    void lost(int rank, RobberException why) {
        if (job.rank() == 0 && rank == rootRank && !publication.isDone()) {
            failWithoutRoot();
        }
    }
}
