package org.robber.cli.verify;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.Communicator;
import org.robber.MulticastChannel;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.cli.message.Fields;
import org.robber.cli.node.FailureReporter;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.plan.Plan;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.manifest.DigestTable;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestCodec;
import org.robber.transport.storage.copy.CopyTerms;
import org.robber.transport.storage.copy.TreeTarget;
import org.robber.transport.storage.record.CopyAudit;
import org.robber.transport.storage.record.CopyRecords;

/**
 * One node's part in repairing a copy: who has it whole multicasts it to those who lack parts of it.
 *
 * @param output shown the progress of the repair at rank 0
 */
record Repair(Communicator world, CopyRecords records, FailureReporter reporter, Plan plan, NodeOutput output) {

    /**
     * The decision of rank 0.
     *
     * @param allRight whether there is nothing to repair
     * @param donor whose copy is whole, or -1 if nothing is done
     * @param pieceBytes size of the pieces; 0 if it follows from that of the data
     * @param damaged whose copies are to be repaired
     */
    record Plan(boolean allRight, int donor, int manifestBytes, int pieceBytes, String digest, List<Integer> damaged) {

        static Plan nothing(boolean allRight) {
            return new Plan(allRight, -1, 0, 0, "", List.of());
        }

        byte[] toBytes() {
            return Fields.write(out -> {
                out.writeBoolean(allRight);
                out.writeInt(donor);
                out.writeInt(manifestBytes);
                out.writeInt(pieceBytes);
                out.writeUTF(digest);
                Fields.writeAll(out, damaged, DataOutputStream::writeInt);
            });
        }

        static Plan fromBytes(byte[] bytes) {
            return Fields.read(
                    bytes,
                    "a plan",
                    in -> new Plan(
                            in.readBoolean(),
                            in.readInt(),
                            in.readInt(),
                            in.readInt(),
                            in.readUTF(),
                            Fields.readAll(in, DataInputStream::readInt)));
        }
    }

    /**
     * Takes part.
     *
     * @param name of the copy among the records
     * @param audit what is known of this node's copy, or null
     * @param again compares this node's copy with its record once more
     */
    void run(String destination, String name, @Nullable CopyAudit audit, Callable<@Nullable CopyAudit> again) {
        int donor = plan.donor();
        ChannelOptions defaults = ChannelOptions.defaults();
        // The copy was made in these pieces, with whatever memory.
        ChannelOptions options = defaults.withDigest(plan.digest())
                .withPieceBytes(plan.pieceBytes())
                .withMemoryBytes(Math.max(defaults.memoryBytes(), plan.pieceBytes()));
        try (MulticastChannel channel = world.multicastChannel(options)) {
            Manifest manifest = manifest(channel, audit);
            long totalBytes = manifest.totalBytes();
            int pieceBytes = plan.pieceBytes() == 0 ? world.automaticPieceBytes(totalBytes) : plan.pieceBytes();
            PieceLayout layout = new PieceLayout(totalBytes, pieceBytes);
            String key = name.contains("-") ? name.substring(0, name.indexOf('-')) : name;
            // The donor may have leftovers of an interrupted run of another version.
            boolean restart = world.rank() == donor;
            CopyTerms terms = new CopyTerms(key, layout, plan.digest(), restart);
            TreeTarget target = reporter.here(Reason.DESTINATION, () -> TreeTarget.open(destination, manifest, terms));
            try {
                if (world.rank() == donor) {
                    DigestTable all = reporter.here(Reason.DESTINATION, () -> donate(target, again));
                    channel.multicast(Storage.of(ByteBuffer.wrap(all.allBytes())), donor);
                    channel.flush();
                } else {
                    int digestBytes = PieceHashers.named(plan.digest()).digestBytes();
                    ByteBuffer all = ByteBuffer.allocate(layout.pieceCount() * digestBytes);
                    channel.multicast(Storage.of(all), donor);
                    channel.flush();
                    reporter.doHere(
                            Reason.DESTINATION,
                            () -> target.adopt(DigestTable.of(all, layout.pieceCount(), digestBytes), plan.digest()));
                }
                world.control().onProgress(output::progress);
                world.control().barrier();
                channel.resume(target, donor);
                channel.flush();
                reporter.doHere(Reason.DESTINATION, () -> {
                    if (plan.damaged().contains(world.rank())) {
                        // A copy is often repaired after a crash.
                        target.commit(records.prepare(target.directory(), target.name()), null, /* toDisk= */ true);
                    } else {
                        target.discard();
                    }
                });
                world.control().barrier();
            } finally {
                reporter.doHere(Reason.DESTINATION, () -> target.close());
            }
        }
    }

    /** Takes over the copy of this node, which was right, and makes sure that it was still right when that was done. */
    private DigestTable donate(TreeTarget target, Callable<@Nullable CopyAudit> again) throws Exception {
        DigestTable all = target.adoptAll(plan.digest());
        CopyAudit now = again.call();
        if (now == null || !now.intact()) {
            throw new RobberException(
                    Reason.INTEGRITY,
                    List.of(world.rank()),
                    "verify",
                    "the copy of " + world.nodeName(world.rank())
                            + " has changed while others were to be repaired from it:"
                            + " run again when no process writes to it");
        }
        return all;
    }

    private Manifest manifest(MulticastChannel channel, @Nullable CopyAudit audit) {
        ByteBuffer encoded = audit != null && world.rank() == plan.donor()
                ? ByteBuffer.wrap(audit.encodedManifest())
                : ByteBuffer.allocate(plan.manifestBytes());
        channel.multicast(Storage.of(encoded), plan.donor());
        channel.flush();
        return reporter.here(Reason.INTERNAL, () -> ManifestCodec.decode(encoded));
    }
}
