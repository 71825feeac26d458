package org.robber.transport.job;

import com.google.common.primitives.Bytes;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.TransferStats;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.link.MessagesSent;
import org.robber.transport.link.TransferTally;
import org.robber.transport.rendezvous.BlockingCalls;
import org.robber.transport.rendezvous.ControlPlane.CollectiveCall;

/**
 * A multicast of few bytes from one root, which publishes them through rank 0, with their digest. Each node then has them after two messages in a row. In
 * pieces it would take seven.
 */
final class PublishedMulticast implements ActiveMulticast {
    /** Bytes that rank 0 sends to all nodes together. A line of 1 MB/s needs as long for them as for the trips of a multicast in pieces. */
    private static final int MOST_BYTES = 1 << 16;

    /** The same where no line is long. A card of 1 Gbit/s needs 8 ms for them. */
    private static final int MOST_NEAR_BYTES = 1 << 20;

    private static final int ONLY_PIECE = 0;

    private final NettyJob job;
    private final PieceHasher hasher;
    private final MulticastGroup group;
    private final String phase;
    private final String topic;
    private final Storage data;
    private final int bytes;
    private final int rootRank;
    private final CollectiveCall collectiveCall;
    private final TransferFailures failures;
    private final TransferTally tally;
    private final CompletableFuture<byte[]> publication;
    private final CompletableFuture<Void> verified = new CompletableFuture<>();
    private final CompletableFuture<byte[]> everyoneHasIt;
    private final ScheduledFuture<?> reports;

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
        int unused = group.requireRoot(job.context(), rootRank);
        this.job = job;
        this.hasher = transfers.hasher();
        this.group = group;
        this.phase = CallTerms.phase(sequence, channelNumber);
        this.topic = "data of multicast " + sequence + " on channel " + channelNumber;
        this.publication = job.publication(topic);
        this.data = data;
        this.bytes = bytes;
        this.rootRank = rootRank;
        this.failures = TransferFailures.ofMulticast(job.context(), links, phase, isRoot());
        this.collectiveCall = job.context()
                .controlPlane()
                .begin(phase + " of " + bytes + " bytes from rank " + rootRank + ", published");
        this.everyoneHasIt = verified.thenCompose(here -> collectiveCall.arrive());
        if (job.rank() == 0) {
            job.progress().begin(phase, bytes, rootRank);
        }
        this.tally = new TransferTally(
                job.context().knownNodes()::topology,
                bytes,
                isRoot() ? bytes : 0,
                /* reusedBytes= */ 0,
                System.nanoTime());
        this.reports = transfers.reports(
                tally::progressBytes, done -> new Progress(phase, done, bytes, tally.receivedByCluster()));
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

    private boolean isRoot() {
        return job.rank() == rootRank;
    }

    private void publish() {
        try {
            ByteBuffer content = ByteBuffer.allocate(bytes);
            if (bytes > 0) {
                data.read(0, content);
            }
            content.flip();
            if (!verified.isDone()) {
                job.context().controlPlane().publish(topic, Bytes.concat(hasher.hash(content), content.array()));
                countSent();
                verified.complete(null);
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
                        phase,
                        "what rank " + rootRank + " has published does not match its digest here");
            }
            // Once this is closed, the storage is the user's again.
            if (!verified.isDone()) {
                if (bytes > 0) {
                    data.write(0, content);
                }
                tally.received(job.rank() == 0 ? rootRank : 0, ONLY_PIECE, bytes, /* isNew= */ true);
                if (job.rank() == 0) {
                    countSent();
                }
                verified.complete(null);
            }
        } catch (IOException | RuntimeException | Error e) {
            failures.here(e);
        }
    }

    /** Publications go from the root to rank 0, and from there to everyone. */
    private void countSent() {
        List<Integer> receivers = job.rank() == 0 ? group.ranks() : List.of(0);
        List<Integer> others =
                receivers.stream().filter(rank -> rank != job.rank()).toList();
        others.forEach(rank -> tally.sent(rank, bytes));
        tally.sent(new MessagesSent(others.size(), (long) others.size() * hasher.digestBytes()));
    }

    @Override
    public String phase() {
        return phase;
    }

    @Override
    public CompletableFuture<?> verified() {
        return verified;
    }

    @Override
    public void awaitEnd(BlockingCalls waiting) {
        try {
            waiting.until(everyoneHasIt, phase);
            if (job.rank() == 0) {
                job.progress().end();
            }
        } finally {
            reports.cancel(false);
            job.forgetPublication(topic);
        }
    }

    @Override
    public SortedSet<Integer> lost() {
        return collectiveCall.lost();
    }

    /** Rank 0 gets a publication first. If it lacks that of a lost root, no node gets it. */
    @Override
    public void lost(int rank, RobberException why) {
        if (job.rank() == 0 && rank == rootRank && !publication.isDone()) {
            job.context()
                    .controlPlane()
                    .fail(new RobberException(
                            why.reason(),
                            List.of(rank),
                            phase,
                            "all data of '" + phase + "' were lost with their root: " + why.getMessage(),
                            why));
        }
    }

    @Override
    public void close(RobberException why) {
        verified.completeExceptionally(why);
    }

    @Override
    public void release() {
        // It holds nothing.
    }

    @Override
    public TransferStats stats() {
        return tally.stats();
    }
}
