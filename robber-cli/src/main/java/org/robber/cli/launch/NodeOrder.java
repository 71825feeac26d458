package org.robber.cli.launch;

import com.google.common.base.Splitter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.ChannelOptions.OnLoss;
import org.robber.ClusterBy;
import org.robber.DataAddress;
import org.robber.SendLimits;
import org.robber.cli.filter.Selection;
import org.robber.cli.log.LogSetup.Detail;
import org.robber.cli.metrics.MetricsPlace;
import org.robber.cli.option.BandwidthFile;
import org.robber.cli.replicate.LossPolicy;
import org.robber.cli.replicate.LossPolicy.OnFailure;
import org.robber.cli.replicate.MinSuccess;
import org.robber.cli.replicate.PlanTerms;
import org.robber.cli.replicate.ProbeRequest;
import org.robber.cli.replicate.ReceivingLimits;
import org.robber.cli.replicate.ReplicateRequest;
import org.robber.cli.replicate.TimeLimit;
import org.robber.cli.report.AbsentNode;
import org.robber.cli.report.OutputFormat;
import org.robber.core.topology.BandwidthMap;

/**
 * The part of one node in a job, as the process that starts the nodes tells each of them through its standard input.
 *
 * @param jobId name of the job
 * @param place which node it is
 * @param request with the destination of this node
 * @param probe not null if the job measures the network: then nothing is copied, and only the deadline and losses of the request count
 * @param bandwidths the file that the bandwidths of the request come from, or null; the node may be where that file is not
 * @param network how long the node waits, how fast it sends, and where it listens
 * @param encrypts whether connections are encrypted
 * @param log how much the node logs
 */
public record NodeOrder(
        String jobId,
        JobPlace place,
        ReplicateRequest request,
        @Nullable ProbeRequest probe,
        @Nullable BandwidthFile bandwidths,
        NetworkSettings network,
        boolean encrypts,
        Detail log) {

    /** The same for another node. */
    NodeOrder at(JobPlace newPlace, String destination) {
        return at(newPlace, request.withDestination(destination));
    }

    /** The same for another node. */
    public NodeOrder at(JobPlace newPlace, ReplicateRequest newRequest) {
        return new NodeOrder(jobId, newPlace, newRequest, probe, bandwidths, network, encrypts, log);
    }

    /** The same for a node that listens for data there. */
    NodeOrder listeningAt(DataAddress data) {
        return new NodeOrder(jobId, place, request, probe, bandwidths, network.at(data), encrypts, log);
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
        place.write(out);
        out.writeInt(request.sources().size());
        for (String source : request.sources()) {
            out.writeUTF(source);
        }
        request.selection().write(out);
        out.writeUTF(request.destination());
        ChannelOptions channel = request.channel();
        out.writeUTF(channel.strategy());
        out.writeInt(channel.pieceBytes());
        out.writeUTF(channel.digest());
        out.writeLong(channel.memoryBytes());
        out.writeInt(channel.requestWindow());
        writeText(out, bandwidths == null ? "" : bandwidths.name());
        writeText(out, bandwidths == null ? "" : bandwidths.json());
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
        MetricsPlace metrics = request.metrics();
        out.writeUTF(metrics == null ? "" : metrics.text());
        out.writeBoolean(request.dryRun());
        out.writeBoolean(request.restart());
        out.writeBoolean(request.checksum());
        out.writeBoolean(request.fsync());
        writePath(out, request.stateFolder());
        out.writeInt(request.absent().size());
        for (AbsentNode node : request.absent()) {
            node.write(out);
        }
        ProbeRequest measuring = probe;
        out.writeBoolean(measuring != null);
        if (measuring != null) {
            out.writeLong(measuring.each().toNanos());
            writePath(out, measuring.scenario());
        }
        out.writeLong(network.connect().toNanos());
        out.writeLong(network.idle().toNanos());
        out.writeLong(network.stall().toNanos());
        out.writeLong(network.limits().bytesPerSecond());
        out.writeLong(network.limits().wanBytesPerSecond());
        out.writeBoolean(network.limits().yields());
        out.writeUTF(network.data().network());
        out.writeInt(network.data().firstPort());
        out.writeInt(network.data().lastPort());
        out.writeUTF(network.congestion());
        out.writeUTF(String.join(",", network.relays()));
        out.writeUTF(network.clusterBy().name());
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
        JobPlace place = JobPlace.read(in);
        List<String> sources = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            sources.add(in.readUTF());
        }
        Selection selection = Selection.read(in);
        String destination = in.readUTF();
        String strategy = in.readUTF();
        int pieceBytes = in.readInt();
        String digest = in.readUTF();
        long memoryBytes = in.readLong();
        int requestWindow = in.readInt();
        BandwidthFile file = new BandwidthFile(readText(in), readText(in));
        BandwidthFile bandwidths = file.name().isEmpty() ? null : file;
        ChannelOptions channel = new ChannelOptions(
                strategy,
                pieceBytes,
                digest,
                memoryBytes,
                requestWindow,
                bandwidths == null ? BandwidthMap.unknown() : bandwidths.map(),
                OnLoss.valueOf(in.readUTF()));
        OnFailure onFailure = OnFailure.valueOf(in.readUTF());
        String minSuccess = in.readUTF();
        ReplicateRequest request = new ReplicateRequest(
                sources,
                selection,
                destination,
                channel,
                new LossPolicy(onFailure, minSuccess.isEmpty() ? null : MinSuccess.parse(minSuccess)),
                in.readBoolean() ? TimeLimit.resumed(readDuration(in), readDuration(in), System::nanoTime) : null,
                OutputFormat.valueOf(in.readUTF()),
                readPath(in),
                readMetrics(in),
                in.readBoolean() ? new PlanTerms(SendLimits.none(), bandwidths) : null,
                in.readBoolean(),
                in.readBoolean(),
                in.readBoolean(),
                readPath(in),
                readAbsent(in),
                ReceivingLimits.none());
        ProbeRequest probe = in.readBoolean()
                ? new ProbeRequest(
                        readDuration(in), readPath(in), request.format(), request.reportFile(), request.deadline())
                : null;
        NetworkSettings network = new NetworkSettings(
                readDuration(in),
                readDuration(in),
                readDuration(in),
                new SendLimits(in.readLong(), in.readLong(), in.readBoolean()),
                new DataAddress(in.readUTF(), in.readInt(), in.readInt()),
                in.readUTF(),
                Splitter.on(',').omitEmptyStrings().splitToList(in.readUTF()),
                ClusterBy.valueOf(in.readUTF()));
        return new NodeOrder(
                jobId,
                place,
                request.withLimitsOfPlan(network.limits()),
                probe,
                bandwidths,
                network,
                in.readBoolean(),
                Detail.valueOf(in.readUTF()));
    }

    private static List<AbsentNode> readAbsent(DataInputStream in) throws IOException {
        int count = in.readInt();
        List<AbsentNode> absent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            absent.add(AbsentNode.read(in));
        }
        return absent;
    }

    /** Of any length. */
    private static void writeText(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String readText(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }

    private static void writePath(DataOutputStream out, @Nullable Path path) throws IOException {
        out.writeUTF(path == null ? "" : path.toString());
    }

    private static @Nullable Path readPath(DataInputStream in) throws IOException {
        String text = in.readUTF();
        return text.isEmpty() ? null : Path.of(text);
    }

    private static @Nullable MetricsPlace readMetrics(DataInputStream in) throws IOException {
        String text = in.readUTF();
        return text.isEmpty() ? null : new MetricsPlace(text);
    }

    private static Duration readDuration(DataInputStream in) throws IOException {
        return Duration.ofNanos(in.readLong());
    }
}
