package org.robber.cli.launch;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.ChannelOptions.OnLoss;
import org.robber.ClusterBy;
import org.robber.DataAddress;
import org.robber.SendLimits;
import org.robber.cli.filter.Selection;
import org.robber.cli.log.LogSetup.Detail;
import org.robber.cli.message.Fields;
import org.robber.cli.metrics.MetricsPlace;
import org.robber.cli.report.AbsentNode;
import org.robber.cli.report.OutputFormat;
import org.robber.cli.request.BandwidthFile;
import org.robber.cli.request.CopyRules;
import org.robber.cli.request.JobRequest;
import org.robber.cli.request.LossPolicy;
import org.robber.cli.request.LossPolicy.OnFailure;
import org.robber.cli.request.MinSuccess;
import org.robber.cli.request.PlanTerms;
import org.robber.cli.request.ProbeRequest;
import org.robber.cli.request.ReceivingLimits;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.ReportTerms;
import org.robber.cli.request.SourceTerms;
import org.robber.cli.request.TimeLimit;
import org.robber.cli.request.VerifyRequest;
import org.robber.core.topology.BandwidthMap;

/** Orders of nodes as lines of ASCII. Both sides run the same build of the program. */
final class NodeOrderCodec {
    private static final int COPY = 0;
    private static final int VERIFY = 1;
    private static final int PROBE = 2;

    private NodeOrderCodec() {}

    /** In a line of ASCII. What a machine lets others write is its own, and left out. */
    static String toText(NodeOrder order) {
        return Base64.getEncoder().encodeToString(Fields.write(out -> write(out, order)));
    }

    /**
     * From the text that {@link #toText} makes.
     *
     * @throws IllegalArgumentException if it is no such text, or the bandwidths cannot be read
     */
    static NodeOrder fromText(String text) {
        return Fields.read(Base64.getDecoder().decode(text), "the order of a node", NodeOrderCodec::read);
    }

    private static void write(DataOutputStream out, NodeOrder order) throws IOException {
        out.writeUTF(order.jobId());
        order.place().write(out);
        BandwidthFile bandwidths = order.bandwidths();
        writeText(out, bandwidths == null ? "" : bandwidths.name());
        writeText(out, bandwidths == null ? "" : bandwidths.json());
        writeNetwork(out, order.network());
        out.writeBoolean(order.encrypts());
        out.writeUTF(order.log().name());
        if (order.request() instanceof ProbeRequest probe) {
            out.writeByte(PROBE);
            writeProbe(out, probe);
        } else if (order.request() instanceof VerifyRequest verify) {
            out.writeByte(VERIFY);
            writeVerify(out, verify);
        } else if (order.request() instanceof ReplicateRequest copy) {
            out.writeByte(COPY);
            writeCopy(out, copy);
        }
    }

    private static NodeOrder read(DataInputStream in) throws IOException {
        String jobId = in.readUTF();
        JobPlace place = JobPlace.read(in);
        BandwidthFile file = new BandwidthFile(readText(in), readText(in));
        BandwidthFile bandwidths = file.name().isEmpty() ? null : file;
        NetworkSettings network = readNetwork(in);
        boolean encrypts = in.readBoolean();
        Detail log = Detail.valueOf(in.readUTF());
        JobRequest request = switch (in.readByte()) {
            case COPY -> readCopy(in, bandwidths, network);
            case VERIFY -> readVerify(in);
            case PROBE -> readProbe(in);
            default -> throw new IOException("an unknown kind of job");
        };
        return new NodeOrder(jobId, place, request, bandwidths, network, encrypts, log);
    }

    private static void writeNetwork(DataOutputStream out, NetworkSettings network) throws IOException {
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
    }

    private static NetworkSettings readNetwork(DataInputStream in) throws IOException {
        return new NetworkSettings(
                readDuration(in),
                readDuration(in),
                readDuration(in),
                new SendLimits(in.readLong(), in.readLong(), in.readBoolean()),
                new DataAddress(in.readUTF(), in.readInt(), in.readInt()),
                in.readUTF(),
                Splitter.on(',').omitEmptyStrings().splitToList(in.readUTF()),
                ClusterBy.valueOf(in.readUTF()));
    }

    private static void writeProbe(DataOutputStream out, ProbeRequest probe) throws IOException {
        out.writeLong(probe.each().toNanos());
        writePath(out, probe.scenario());
        out.writeUTF(probe.format().name());
        writePath(out, probe.reportFile());
        writeLimit(out, probe.deadline());
    }

    private static ProbeRequest readProbe(DataInputStream in) throws IOException {
        return new ProbeRequest(
                readDuration(in), readPath(in), OutputFormat.valueOf(in.readUTF()), readPath(in), readLimit(in));
    }

    private static void writeVerify(DataOutputStream out, VerifyRequest verify) throws IOException {
        out.writeUTF(verify.destination());
        out.writeBoolean(verify.hasCopy());
        out.writeBoolean(verify.repair());
        writePath(out, verify.stateFolder());
        out.writeUTF(verify.format().name());
        writePath(out, verify.reportFile());
        writeLimit(out, verify.deadline());
    }

    private static VerifyRequest readVerify(DataInputStream in) throws IOException {
        return new VerifyRequest(
                in.readUTF(),
                in.readBoolean(),
                in.readBoolean(),
                readPath(in),
                OutputFormat.valueOf(in.readUTF()),
                readPath(in),
                readLimit(in));
    }

    private static void writeCopy(DataOutputStream out, ReplicateRequest copy) throws IOException {
        writeSource(out, copy.source());
        out.writeUTF(copy.destination());
        writeChannel(out, copy.channel());
        out.writeUTF(copy.losses().onFailure().name());
        MinSuccess minSuccess = copy.losses().minSuccess();
        out.writeUTF(minSuccess == null ? "" : minSuccess.toString());
        writeLimit(out, copy.deadline());
        writeReport(out, copy.report());
        out.writeBoolean(copy.dryRun());
        out.writeBoolean(copy.copying().restart());
        out.writeBoolean(copy.copying().checksum());
        out.writeBoolean(copy.copying().fsync());
        writePath(out, copy.copying().stateFolder());
    }

    private static ReplicateRequest readCopy(
            DataInputStream in, @Nullable BandwidthFile bandwidths, NetworkSettings network) throws IOException {
        return new ReplicateRequest(
                readSource(in),
                in.readUTF(),
                readChannel(in, bandwidths),
                readLosses(in),
                readLimit(in),
                readReport(in),
                in.readBoolean() ? new PlanTerms(network.limits(), bandwidths) : null,
                new CopyRules(in.readBoolean(), in.readBoolean(), in.readBoolean(), readPath(in)),
                ReceivingLimits.none());
    }

    private static void writeSource(DataOutputStream out, SourceTerms source) throws IOException {
        Fields.writeAll(out, source.paths(), DataOutputStream::writeUTF);
        source.selection().write(out);
        Fields.writeAll(out, source.roots(), DataOutputStream::writeInt);
    }

    private static SourceTerms readSource(DataInputStream in) throws IOException {
        return new SourceTerms(
                Fields.readAll(in, DataInput::readUTF),
                Selection.read(in),
                ImmutableList.copyOf(Fields.readAll(in, DataInput::readInt)));
    }

    private static void writeChannel(DataOutputStream out, ChannelOptions channel) throws IOException {
        out.writeUTF(channel.strategy());
        out.writeInt(channel.pieceBytes());
        out.writeUTF(channel.digest());
        out.writeLong(channel.memoryBytes());
        out.writeInt(channel.requestWindow());
        out.writeUTF(channel.onLoss().name());
    }

    private static ChannelOptions readChannel(DataInputStream in, @Nullable BandwidthFile bandwidths)
            throws IOException {
        return ChannelOptions.defaults()
                .withStrategy(in.readUTF())
                .withPieceBytes(in.readInt())
                .withDigest(in.readUTF())
                .withMemoryBytes(in.readLong())
                .withRequestWindow(in.readInt())
                .withBandwidths(bandwidths == null ? BandwidthMap.unknown() : bandwidths.map())
                .withOnLoss(OnLoss.valueOf(in.readUTF()));
    }

    private static LossPolicy readLosses(DataInputStream in) throws IOException {
        OnFailure onFailure = OnFailure.valueOf(in.readUTF());
        String minSuccess = in.readUTF();
        return new LossPolicy(onFailure, minSuccess.isEmpty() ? null : MinSuccess.parse(minSuccess));
    }

    private static void writeReport(DataOutputStream out, ReportTerms report) throws IOException {
        out.writeUTF(report.format().name());
        writePath(out, report.file());
        MetricsPlace metrics = report.metrics();
        out.writeUTF(metrics == null ? "" : metrics.text());
        Fields.writeAll(out, report.absent(), (to, node) -> node.write(to));
    }

    private static ReportTerms readReport(DataInputStream in) throws IOException {
        OutputFormat format = OutputFormat.valueOf(in.readUTF());
        Path file = readPath(in);
        String metrics = in.readUTF();
        return new ReportTerms(
                format,
                file,
                metrics.isEmpty() ? null : new MetricsPlace(metrics),
                Fields.readAll(in, AbsentNode::read));
    }

    private static void writeLimit(DataOutputStream out, @Nullable TimeLimit limit) throws IOException {
        out.writeBoolean(limit != null);
        if (limit != null) {
            out.writeLong(limit.length().toNanos());
            out.writeLong(limit.left().toNanos());
        }
    }

    private static @Nullable TimeLimit readLimit(DataInputStream in) throws IOException {
        return in.readBoolean() ? TimeLimit.resumed(readDuration(in), readDuration(in), System::nanoTime) : null;
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

    private static Duration readDuration(DataInputStream in) throws IOException {
        return Duration.ofNanos(in.readLong());
    }
}
