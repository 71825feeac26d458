package org.robber.cli.replicate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.Communicator;
import org.robber.JobControl.JobProgress;
import org.robber.MulticastChannel;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.TransferStats;
import org.robber.cli.destination.DestinationChecks;
import org.robber.cli.destination.DestinationInfo;
import org.robber.cli.node.FailureReporter;
import org.robber.cli.node.FailureText;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.node.UnfinishedCopy;
import org.robber.cli.report.NodeFailure;
import org.robber.cli.report.NodeResult;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.stream.ChunkQueue;
import org.robber.cli.stream.Opener;
import org.robber.cli.stream.StreamSource;
import org.robber.cli.stream.StreamTarget;

/**
 * One node's part in replicating a stream of unknown length: chunk after chunk, in order. A chunk begins when every node has room for it, so a slow reader
 * holds up the others, and nothing else does.
 */
public final class StreamReplication {
    private static final int LARGEST_CHUNK_BYTES = 32 << 20;

    /** At most three chunks are in memory: one is transferred, one is filled at rank 0, and one is written. */
    private static final int MOST_CHUNKS = 3;

    private static final int CHUNKS_OF_MEMORY = 8;
    private static final long LEAST_MEMORY_BYTES = 4 << 20;
    private static final String SCAN = "scan";

    private final ReplicateRequest request;
    private final Communicator world;
    private final NodeOutput output;
    private final JobWatch watch;
    private final UnfinishedCopy unfinished;
    private final FailureReporter reporter;
    private final ChunkQueue free = new ChunkQueue();

    StreamReplication(
            ReplicateRequest request,
            Communicator world,
            NodeOutput output,
            JobWatch watch,
            UnfinishedCopy unfinished,
            FailureReporter reporter) {
        this.request = request;
        this.world = world;
        this.output = output;
        this.watch = watch;
        this.unfinished = unfinished;
        this.reporter = reporter;
    }

    /** What has gone through this node. */
    record Streamed(@Nullable StreamTarget target, TransferStats stats) {}

    /** Whether a job sends a stream, as far as rank 0 can tell: all others have the same SRC and DEST, but for placeholders. */
    static boolean isStream(ReplicateRequest request) {
        return request.destination().equals(StreamTarget.STANDARD)
                || isStream(request.source().first());
    }

    /** Whether this source is standard input, a fifo or a device. */
    public static boolean isStream(String source) {
        Path path = Path.of(source);
        return source.equals(StreamTarget.STANDARD)
                || (Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path));
    }

    /**
     * Refuses a stream with options for files.
     *
     * @throws RobberException with {@code USAGE}
     */
    public static void check(ReplicateRequest request) {
        boolean forFiles = request.dryRun()
                || !request.source().selection().isAll()
                || request.source().selection().deletes();
        if (!request.source().isAtRankZero() && isStream(request)) {
            throw new RobberException(
                    Reason.USAGE, List.of(), "launch", "a stream comes from rank 0: leave out --root");
        }
        if (forFiles && isStream(request)) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(),
                    "launch",
                    "a stream has no files for a plan, --delete or filters: give SRC and DEST as files");
        }
    }

    /** The size of the chunks of a job whose rank 0 may use this much memory. */
    static int chunkBytes(long memoryBytes) {
        return (int) Math.min(LARGEST_CHUNK_BYTES, memoryBytes / CHUNKS_OF_MEMORY);
    }

    /**
     * Finds the source of a stream, at rank 0. A fifo is opened later, on the thread that reads it.
     *
     * @throws RobberException if that is a folder
     * @throws IOException if it cannot be read
     */
    static Opener<ReadableByteChannel> source(ReplicateRequest request, Supplier<ReadableByteChannel> standardInput)
            throws IOException {
        String source = request.source().first();
        if (source.equals(StreamTarget.STANDARD)) {
            return standardInput::get;
        }
        if (Files.isDirectory(Path.of(source))) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(),
                    SCAN,
                    source + " is a folder, and DEST is standard output: pack it, as in 'tar c " + source
                            + " | robber-cli replicate - -'");
        }
        Path file = Path.of(source);
        if (!isStream(source)) {
            FileChannel input = FileChannel.open(file);
            return () -> input;
        }
        if (!Files.isReadable(file)) {
            throw new AccessDeniedException(source);
        }
        return () -> FileChannel.open(file);
    }

    /**
     * Takes part in the transfer.
     *
     * @param input the source at rank 0, else null
     * @param destination empty at a rank 0 that writes no copy
     */
    Streamed run(
            @Nullable Opener<ReadableByteChannel> input, int chunkBytes, String destination, Consumer<String> enter) {
        enter.accept("prepare");
        comparePlaces(destination);
        world.control().onFailure(free::fail);
        StreamTarget target = destination.isEmpty()
                ? null
                : reporter.here(Reason.DESTINATION, () -> hold(StreamTarget.open(destination, free)));
        long memoryBytes =
                Math.max(LEAST_MEMORY_BYTES, request.channel().memoryBytes() - (long) MOST_CHUNKS * chunkBytes);
        ChannelOptions options = request.channel()
                .withPieceBytes(Math.min(request.channel().pieceBytes(), chunkBytes))
                .withMemoryBytes(memoryBytes);
        try (MulticastChannel channel = world.multicastChannel(options)) {
            return reporter.orFail(() -> {
                enter.accept("transfer");
                return transfer(channel, source(input, chunkBytes), target, destination, chunkBytes);
            });
        }
    }

    private void comparePlaces(String destination) {
        DestinationInfo mine = reporter.here(Reason.DESTINATION, () -> place(destination));
        List<DestinationInfo> places = world.control().gather(mine.toBytes()).stream()
                .map(told -> told.length == 0 ? DestinationInfo.ofNone() : DestinationInfo.fromBytes(told))
                .toList();
        if (world.rank() == 0) {
            reporter.doHere(
                    Reason.USAGE,
                    () -> DestinationChecks.check(
                            places, CollectiveDestinationCheck.names(world), List.of(), 0, false));
        }
    }

    /** The file that this node replaces, if there is one. */
    private DestinationInfo place(String destination) throws IOException {
        if (destination.isEmpty() || isStream(destination)) {
            return DestinationInfo.ofNone();
        }
        DestinationInfo place = DestinationInfo.of(world.hostName(world.rank()), Path.of(destination));
        if (!place.problem().isEmpty()) {
            throw new IOException(place.problem());
        }
        return place;
    }

    private StreamTarget hold(StreamTarget target) {
        unfinished.hold(trusted -> target.discard());
        return target;
    }

    private @Nullable StreamSource source(@Nullable Opener<ReadableByteChannel> input, int chunkBytes) {
        if (input == null) {
            return null;
        }
        String name = request.source().first().equals(StreamTarget.STANDARD)
                ? "standard input"
                : request.source().first();
        StreamSource source = StreamSource.start(name, input, ByteBuffer.allocateDirect(chunkBytes));
        world.control().onFailure(source::fail);
        return source;
    }

    private Streamed transfer(
            MulticastChannel channel,
            @Nullable StreamSource source,
            @Nullable StreamTarget target,
            String destination,
            int chunkBytes) {
        free.put(ByteBuffer.allocateDirect(chunkBytes));
        if (target != null) {
            free.put(ByteBuffer.allocateDirect(chunkBytes));
        }
        if (source != null) {
            output.started(JobProgress.UNKNOWN);
        }
        long start = System.nanoTime();
        TransferStats stats = channel.lastStats();
        try {
            while (true) {
                ByteBuffer chunk = source == null ? free.take() : source.next(free.take());
                int length = agree(chunk.remaining());
                if (length == 0) {
                    break;
                }
                channel.multicast(chunk.limit(length));
                channel.flush();
                stats = stats.plus(channel.lastStats());
                if (source != null) {
                    progress(stats.bytes());
                }
                if (target == null) {
                    free.put(chunk.clear());
                } else {
                    checkLimits(stats.bytes(), destination);
                    target.write(chunk);
                }
            }
            if (target != null) {
                target.awaitWritten();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RobberException(Reason.INTERRUPTED, List.of(), "transfer", "interrupted", e);
        }
        return new Streamed(target, stats.withNanos(System.nanoTime() - start));
    }

    /** Before a chunk is written: it counts already. */
    private void checkLimits(long bytes, String destination) {
        Path file = Path.of(destination).toAbsolutePath();
        reporter.doHere(Reason.DESTINATION, () -> {
            request.limits().checkSize(bytes);
            request.limits().checkRoom(file.getParent() == null ? file : file.getParent());
        });
    }

    /** Waits until every node has room for the next chunk, and returns its length; 0 is the end. */
    private int agree(int length) {
        byte[] told = ByteBuffer.allocate(Integer.BYTES).putInt(length).array();
        return ByteBuffer.wrap(world.control().broadcast(told)).getInt();
    }

    private void progress(long bytes) {
        watch.streamed(bytes);
        int receivers = world.size() - 1;
        output.progress(new JobProgress(bytes * receivers, JobProgress.UNKNOWN, 0, receivers, List.of()));
    }

    /** Gives the copy its name. A failure is this node's alone. */
    static NodeResult commit(Streamed streamed, boolean toDisk) {
        NodeFailure failure = null;
        StreamTarget target = streamed.target();
        if (target != null) {
            try {
                target.commit(toDisk);
            } catch (RobberException e) {
                failure = new NodeFailure(e.reason(), "commit", FailureText.of(e));
            }
        }
        TransferStats stats = streamed.stats();
        return new NodeResult(stats.nanos() / 1e9, stats, stats.bytes(), failure);
    }
}
