package org.robber.cli.launch;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.ChannelOptions.OnLoss;
import org.robber.SendLimits;
import org.robber.cli.log.LogSetup.Detail;
import org.robber.cli.option.BandwidthFile;
import org.robber.cli.replicate.LossPolicy;
import org.robber.cli.replicate.LossPolicy.OnFailure;
import org.robber.cli.replicate.MinSuccess;
import org.robber.cli.replicate.ReplicateRequest;
import org.robber.cli.replicate.TimeLimit;
import org.robber.cli.report.OutputFormat;
import org.robber.core.topology.BandwidthMap;

/**
 * The part of one node in a job on this machine, as the process that starts the nodes tells each of them through its standard input.
 *
 * @param jobId name of the job
 * @param request with the destination of this node
 * @param bandwidthFile where the bandwidths of the request come from; each node reads it itself; or null
 * @param network how long the node waits, and how fast it sends
 * @param encrypts whether connections are encrypted
 * @param log how much the node logs
 */
public record NodeOrder(
        String jobId,
        ReplicateRequest request,
        @Nullable Path bandwidthFile,
        NetworkLimits network,
        boolean encrypts,
        Detail log) {

    /** The same for a node with another destination. */
    NodeOrder withDestination(String destination) {
        ReplicateRequest one = new ReplicateRequest(
                request.source(),
                destination,
                request.channel(),
                request.losses(),
                request.deadline(),
                request.format(),
                request.reportFile(),
                request.dryRun(),
                request.restart(),
                request.stateFolder());
        return new NodeOrder(jobId, one, bandwidthFile, network, encrypts, log);
    }

    /** In a line of ASCII. */
    String toText() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            write(out);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    private void write(DataOutputStream out) throws IOException {
        out.writeUTF(jobId);
        out.writeUTF(request.source());
        out.writeUTF(request.destination());
        ChannelOptions channel = request.channel();
        out.writeUTF(channel.strategy());
        out.writeInt(channel.pieceBytes());
        out.writeUTF(channel.digest());
        out.writeLong(channel.memoryBytes());
        out.writeInt(channel.requestWindow());
        writePath(out, bandwidthFile);
        out.writeUTF(channel.onLoss().name());
        out.writeUTF(request.losses().onFailure().name());
        MinSuccess minSuccess = request.losses().minSuccess();
        out.writeUTF(minSuccess == null ? "" : minSuccess.toString());
        TimeLimit deadline = request.deadline();
        out.writeBoolean(deadline != null);
        if (deadline != null) {
            out.writeLong(deadline.length().toNanos());
            out.writeLong(deadline.left().toNanos());
        }
        out.writeUTF(request.format().name());
        writePath(out, request.reportFile());
        out.writeBoolean(request.dryRun());
        out.writeBoolean(request.restart());
        writePath(out, request.stateFolder());
        out.writeLong(network.connect().toNanos());
        out.writeLong(network.idle().toNanos());
        out.writeLong(network.stall().toNanos());
        out.writeLong(network.limits().bytesPerSecond());
        out.writeLong(network.limits().wanBytesPerSecond());
        out.writeBoolean(encrypts);
        out.writeUTF(log.name());
    }

    /**
     * From the text that {@link #toText} makes.
     *
     * @throws IllegalArgumentException if it is no such text, or the bandwidths cannot be read
     */
    static NodeOrder fromText(String text) {
        byte[] bytes = Base64.getDecoder().decode(text);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return read(in);
        } catch (IOException e) {
            throw new IllegalArgumentException("not the order of a node: " + bytes.length + " bytes", e);
        }
    }

    private static NodeOrder read(DataInputStream in) throws IOException {
        String jobId = in.readUTF();
        String source = in.readUTF();
        String destination = in.readUTF();
        String strategy = in.readUTF();
        int pieceBytes = in.readInt();
        String digest = in.readUTF();
        long memoryBytes = in.readLong();
        int requestWindow = in.readInt();
        Path bandwidthFile = readPath(in);
        ChannelOptions channel = new ChannelOptions(
                strategy,
                pieceBytes,
                digest,
                memoryBytes,
                requestWindow,
                bandwidthFile == null ? BandwidthMap.unknown() : BandwidthFile.read(bandwidthFile),
                OnLoss.valueOf(in.readUTF()));
        OnFailure onFailure = OnFailure.valueOf(in.readUTF());
        String minSuccess = in.readUTF();
        ReplicateRequest request = new ReplicateRequest(
                source,
                destination,
                channel,
                new LossPolicy(onFailure, minSuccess.isEmpty() ? null : MinSuccess.parse(minSuccess)),
                in.readBoolean() ? TimeLimit.resumed(readDuration(in), readDuration(in), System::nanoTime) : null,
                OutputFormat.valueOf(in.readUTF()),
                readPath(in),
                in.readBoolean(),
                in.readBoolean(),
                readPath(in));
        NetworkLimits network = new NetworkLimits(
                readDuration(in), readDuration(in), readDuration(in), new SendLimits(in.readLong(), in.readLong()));
        return new NodeOrder(jobId, request, bandwidthFile, network, in.readBoolean(), Detail.valueOf(in.readUTF()));
    }

    private static void writePath(DataOutputStream out, @Nullable Path path) throws IOException {
        out.writeUTF(path == null ? "" : path.toString());
    }

    private static @Nullable Path readPath(DataInputStream in) throws IOException {
        String text = in.readUTF();
        return text.isEmpty() ? null : Path.of(text);
    }

    private static Duration readDuration(DataInputStream in) throws IOException {
        return Duration.ofNanos(in.readLong());
    }
}
