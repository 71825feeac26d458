package org.robber.cli.source;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
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
        ByteArrayOutputStream bytesTold = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytesTold)) {
            out.writeInt(places.size());
            for (String place : places) {
                out.writeUTF(place);
            }
            out.writeLong(bytes);
            out.writeInt(entries);
            out.writeInt(files);
            List<Skipped> told = told();
            out.writeInt(told.size());
            for (Skipped one : told) {
                out.writeUTF(one.path());
                out.writeUTF(one.reason());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytesTold.toByteArray();
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
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(told))) {
            List<String> places = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                places.add(in.readUTF());
            }
            long bytes = in.readLong();
            int entries = in.readInt();
            int files = in.readInt();
            List<Skipped> skipped = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                skipped.add(new Skipped(in.readUTF(), in.readUTF()));
            }
            return new SourceSummary(places, bytes, entries, files, skipped);
        } catch (IOException e) {
            throw new IllegalArgumentException("not the summary of a source: " + told.length + " bytes", e);
        }
    }
}
