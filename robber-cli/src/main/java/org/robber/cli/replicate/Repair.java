package org.robber.cli.replicate;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.Communicator;
import org.robber.MulticastChannel;
import org.robber.RobberException.Reason;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestCodec;
import org.robber.transport.storage.BufferStorage;
import org.robber.transport.storage.CopyAudit;
import org.robber.transport.storage.CopyTerms;
import org.robber.transport.storage.TreeTarget;

/** One node's part in repairing a copy: who has it whole multicasts it to those who lack parts of it. */
final class Repair {
    private final Communicator world;
    private final FailureReporter reporter;
    private final Plan plan;
    private final NodeOutput output;

    /** @param output shown the progress of the repair at rank 0 */
    Repair(Communicator world, FailureReporter reporter, Plan plan, NodeOutput output) {
        this.output = output;
        this.world = world;
        this.reporter = reporter;
        this.plan = plan;
    }

    /**
     * The decision of rank 0.
     *
     * @param allRight whether there is nothing to repair
     * @param donor whose copy is whole, or -1 if nothing is done
     * @param damaged whose copies are to be repaired
     */
    record Plan(boolean allRight, int donor, int manifestBytes, int pieceBytes, String digest, List<Integer> damaged) {

        static Plan nothing(boolean allRight) {
            return new Plan(allRight, -1, 0, 0, "", List.of());
        }

        byte[] toBytes() {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (DataOutputStream out = new DataOutputStream(bytes)) {
                out.writeBoolean(allRight);
                out.writeInt(donor);
                out.writeInt(manifestBytes);
                out.writeInt(pieceBytes);
                out.writeUTF(digest);
                out.writeInt(damaged.size());
                for (int rank : damaged) {
                    out.writeInt(rank);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("writing to memory", e);
            }
            return bytes.toByteArray();
        }

        static Plan fromBytes(byte[] bytes) {
            try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
                boolean allRight = in.readBoolean();
                int donor = in.readInt();
                int manifestBytes = in.readInt();
                int pieceBytes = in.readInt();
                String digest = in.readUTF();
                List<Integer> damaged = new ArrayList<>();
                for (int left = in.readInt(); left > 0; left--) {
                    damaged.add(in.readInt());
                }
                return new Plan(allRight, donor, manifestBytes, pieceBytes, digest, damaged);
            } catch (IOException e) {
                throw new IllegalArgumentException("not a plan: " + bytes.length + " bytes", e);
            }
        }
    }

    /**
     * Takes part.
     *
     * @param name of the copy among the records
     * @param record of this node's copy, whether there is one or not
     * @param audit what is known of this node's copy, or null
     */
    void run(String destination, String name, Path record, @Nullable CopyAudit audit) {
        ChannelOptions options =
                ChannelOptions.defaults().withDigest(plan.digest()).withPieceBytes(plan.pieceBytes());
        try (MulticastChannel channel = world.multicastChannel(options)) {
            Manifest manifest = manifest(channel, audit);
            boolean known = audit != null && Files.exists(record);
            CopyTerms terms = new CopyTerms(
                    name.contains("-") ? name.substring(0, name.indexOf('-')) : name,
                    new PieceLayout(manifest.totalBytes(), plan.pieceBytes()),
                    plan.digest(),
                    false,
                    known ? record : null);
            TreeTarget target = reporter.here(Reason.DESTINATION, () -> TreeTarget.open(destination, manifest, terms));
            try {
                world.control().onProgress(output::progress);
                world.control().barrier();
                channel.resume(target, plan.donor());
                channel.flush();
                reporter.here(Reason.DESTINATION, () -> {
                    if (plan.damaged().contains(world.rank())) {
                        target.commit(record);
                    } else {
                        target.discard();
                    }
                    return target;
                });
                world.control().barrier();
            } finally {
                reporter.here(Reason.DESTINATION, () -> {
                    target.close();
                    return target;
                });
            }
        }
    }

    private Manifest manifest(MulticastChannel channel, @Nullable CopyAudit audit) {
        ByteBuffer encoded = audit != null && world.rank() == plan.donor()
                ? ByteBuffer.wrap(audit.encodedManifest())
                : ByteBuffer.allocate(plan.manifestBytes());
        channel.multicast(BufferStorage.of(encoded), plan.donor());
        channel.flush();
        return reporter.here(Reason.INTERNAL, () -> ManifestCodec.decode(encoded));
    }
}
