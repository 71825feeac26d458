package org.robber.cli.source;

import java.io.DataInput;
import java.io.DataOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.robber.cli.message.Fields;
import org.robber.cli.report.JobReport.Skipped;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;

/**
 * What rank 0 says of the source in plans and reports, and to nodes that join. The node that has the source tells it.
 *
 * @param places the sources there, absolute
 * @param bytes of all files
 * @param entries folders and links included
 * @param files how many of them are files
 * @param skipped entries that cannot be copied
 */
public record SourceSummary(List<String> places, long bytes, int entries, int files, List<Skipped> skipped) {
    /** Another node than rank 0 has to fit it into a message. */
    private static final int MOST_SKIPPED_BYTES = 256 << 10;

    /** What is said of parts that several nodes have. */
    public static SourceSummary of(List<SourceSummary> parts) {
        List<String> places = new ArrayList<>();
        List<Skipped> skipped = new ArrayList<>();
        long bytes = 0;
        int entries = 0;
        int files = 0;
        for (SourceSummary part : parts) {
            places.addAll(part.places);
            skipped.addAll(part.skipped);
            bytes += part.bytes;
            entries += part.entries;
            files += part.files;
        }
        return new SourceSummary(places, bytes, entries, files, skipped);
    }

    /** How many files a manifest has. */
    static int files(Manifest manifest) {
        return (int) IntStream.range(0, manifest.entryCount())
                .filter(entry -> manifest.kind(entry) == EntryKind.FILE)
                .count();
    }

    byte[] toBytes() {
        return Fields.write(out -> {
            Fields.writeAll(out, places, DataOutputStream::writeUTF);
            out.writeLong(bytes);
            out.writeInt(entries);
            out.writeInt(files);
            Fields.writeAll(out, told(), (to, one) -> {
                to.writeUTF(one.path());
                to.writeUTF(one.reason());
            });
        });
    }

    /** As many as there is room for, and a line for the others. */
    private List<Skipped> told() {
        List<Skipped> told = new ArrayList<>();
        int left = MOST_SKIPPED_BYTES;
        for (Skipped one : skipped) {
            left -= one.path().getBytes(StandardCharsets.UTF_8).length
                    + one.reason().length();
            if (left < 0) {
                told.add(new Skipped("...", (skipped.size() - told.size()) + " more are not named here"));
                break;
            }
            told.add(one);
        }
        return told;
    }

    static SourceSummary fromBytes(byte[] told) {
        return Fields.read(
                told,
                "the summary of a source",
                in -> new SourceSummary(
                        Fields.readAll(in, DataInput::readUTF),
                        in.readLong(),
                        in.readInt(),
                        in.readInt(),
                        Fields.readAll(in, from -> new Skipped(from.readUTF(), from.readUTF()))));
    }
}
