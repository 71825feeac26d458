package org.robber.transport.storage.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestCodec;
import org.robber.transport.manifest.ManifestException;
import org.robber.transport.manifest.SameEntries;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is recorded of a copy that came in one run, or in several. Each run that left out unchanged files has a journal of the others,
 * beside those of the runs before it: {@code NAME.journal}, and the older ones {@code NAME.journal.2}, {@code NAME.journal.1}. If there
 * are several, {@code NAME.journal.whole} is the manifest of all.
 *
 * @param whole the manifest of the copy
 * @param layers the newest first
 */
public record CopyHistory(Manifest whole, List<CopyLayer> layers) {
    private static final Logger LOG = LoggerFactory.getLogger(CopyHistory.class);
    private static final String WHOLE = ".whole";
    private static final String NEXT = ".next";

    /** File systems tell times apart that differ by this much. */
    private static final Duration COARSEST_TIME = Duration.ofSeconds(2);

    /** Reads what is recorded; null if there is nothing that can be used. A damaged older journal counts as missing. */
    public static @Nullable CopyHistory read(Path record) throws IOException {
        CopyLayer newest = CopyLayer.read(record);
        if (newest == null) {
            return null;
        }
        List<CopyLayer> layers = new ArrayList<>();
        layers.add(newest);
        Path wholeFile = wholeFile(record);
        if (!Files.exists(wholeFile)) {
            return new CopyHistory(newest.manifest(), layers);
        }
        for (Path file : older(record)) {
            CopyLayer layer = CopyLayer.read(file);
            if (layer != null) {
                layers.add(layer);
            }
        }
        try {
            return new CopyHistory(ManifestCodec.decode(ByteBuffer.wrap(Files.readAllBytes(wholeFile))), layers);
        } catch (ManifestException e) {
            LOG.debug("{} is damaged", wholeFile, e);
            return null;
        }
    }

    /** Whether some files were left out of the last run. */
    boolean hasSteps() {
        return layers.size() > 1 || !layers.get(0).manifest().equals(whole);
    }

    /**
     * The files whose bytes can be compared with what is recorded of them.
     *
     * @param wanted the manifest that the files are entries of
     * @param unchanged those of its files that are as they were when they were recorded
     * @param mostLayers if there are more, those of the largest layer only
     */
    public BitSet covered(Manifest wanted, BitSet unchanged, int mostLayers) {
        BitSet covered = new BitSet();
        for (CopyLayer layer : layers.size() <= mostLayers ? layers : List.of(largest())) {
            covered.or(layer.covered(wanted, unchanged));
        }
        return covered;
    }

    /** When the oldest journal was kept. */
    FileTime firstTime() throws IOException {
        return layers.get(layers.size() - 1).time();
    }

    /** For each entry of the manifest, when the newest journal that names it was kept; null if none does. */
    @Nullable
    FileTime[] times(Manifest wanted) throws IOException {
        FileTime[] times = new FileTime[wanted.entryCount()];
        for (CopyLayer layer : layers) {
            FileTime time = layer.time();
            int[] found = SameEntries.ofPath(wanted, layer.manifest());
            for (int entry = 0; entry < times.length; entry++) {
                if (times[entry] == null && found[entry] >= 0) {
                    times[entry] = time;
                }
            }
        }
        return times;
    }

    /** When the newest journal of a copy was kept, be it damaged or not; null if there is none. */
    static @Nullable FileTime lastTime(Path record) throws IOException {
        FileTime time = time(record);
        if (time == null) {
            // A run of this copy has not ended, or was killed, so only older journals are there.
            for (Path file : older(record)) {
                time = time == null ? time(file) : time;
            }
        }
        return time;
    }

    /** Null if the file is not there. */
    private static @Nullable FileTime time(Path journal) throws IOException {
        try {
            return Files.getLastModifiedTime(journal);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private CopyLayer largest() {
        return layers.stream()
                .max(Comparator.comparingLong(layer -> layer.manifest().totalBytes()))
                .orElseThrow();
    }

    /** The journals of earlier runs, the newest first. */
    private static List<Path> older(Path record) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found =
                Files.newDirectoryStream(record.resolveSibling("."), record.getFileName() + ".[0-9]*")) {
            found.forEach(files::add);
        } catch (NoSuchFileException e) {
            // Nothing has been recorded of this place, as before its first copy.
        }
        files.sort(Comparator.comparingInt(CopyHistory::number).reversed());
        return files;
    }

    private static int number(Path file) {
        String name = String.valueOf(file.getFileName());
        try {
            return Integer.parseInt(name.substring(name.lastIndexOf('.') + 1));
        } catch (NumberFormatException e) {
            LOG.debug("{} is no journal", file, e);
            return 0;
        }
    }

    private static Path wholeFile(Path record) {
        return record.resolveSibling(record.getFileName() + WHOLE);
    }

    /** Not yet the record; a killed process may have left it, and the next one replaces it. */
    private static Path nextFile(Path record) {
        return record.resolveSibling(record.getFileName() + NEXT);
    }

    /**
     * Makes room for the journal of another run. Until {@link #add} or {@link #begin} nothing is known of the copy but that there is one, which may
     * have replaced files of all others.
     */
    static void shift(Path record) throws IOException {
        List<Path> older = older(record);
        int next = older.isEmpty() ? 1 : number(older.get(0)) + 1;
        if (Files.exists(record)) {
            Path shifted = record.resolveSibling(record.getFileName() + "." + next);
            Files.move(record, shifted, StandardCopyOption.ATOMIC_MOVE);
            older.add(0, shifted);
        }
        if (!older.isEmpty()) {
            makeNewest(older.get(0));
        }
        Files.deleteIfExists(wholeFile(record));
    }

    /** Keeps the journal of a run that left out nothing, and forgets those before. */
    static void begin(Path record, Path journal) throws IOException {
        replace(record, journal);
        for (Path file : older(record)) {
            Files.delete(file);
        }
    }

    /** Adds the journal of a run that left out the files that it has not; removes journals that tell nothing any more. */
    static void add(Path record, Path journal, Manifest whole) throws IOException {
        Files.write(wholeFile(record), ManifestCodec.encode(whole));
        replace(record, journal);
        CopyHistory history = read(record);
        if (history == null) {
            return;
        }
        BitSet all = new BitSet();
        all.set(0, whole.entryCount());
        BitSet covered = new BitSet();
        for (CopyLayer layer : history.layers) {
            int before = covered.cardinality();
            covered.or(layer.covered(whole, all));
            if (covered.cardinality() == before && !layer.file().equals(record)) {
                Files.delete(layer.file());
            }
        }
    }

    /** Puts a copy of the journal in the place of the record. */
    private static void replace(Path record, Path journal) throws IOException {
        Path next = nextFile(record);
        Files.copy(journal, next, StandardCopyOption.REPLACE_EXISTING);
        makeNewest(next);
        Files.move(next, record, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Makes a journal newer than all records in its folder, also after a clock went back. */
    private static void makeNewest(Path journal) throws IOException {
        FileTime latest = FileTime.fromMillis(0);
        for (Path record : CopyRecords.recorded(journal.resolveSibling("."))) {
            FileTime time = lastTime(record);
            latest = time != null && time.compareTo(latest) > 0 ? time : latest;
        }
        Files.setLastModifiedTime(journal, FileTime.from(Instant.now()));
        if (Files.getLastModifiedTime(journal).compareTo(latest) <= 0) {
            Files.setLastModifiedTime(journal, FileTime.from(latest.toInstant().plus(COARSEST_TIME)));
        }
    }
}
