package org.robber.transport.storage.record;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.SameEntries;
import org.robber.transport.storage.file.Destination;
import org.robber.transport.storage.file.RawPaths;
import org.robber.transport.storage.file.Staging;

/**
 * Tells which entries of a copy belong to copies of other sources that came to the same directory later. A path belongs to the copy that
 * came there last. The time of the newest journal that names it says when. So each path belongs to one copy, whichever of them is asked.
 * Directories are merged, and belong to all.
 */
public final class LaterCopies {
    private static final FileTime NEVER = FileTime.fromMillis(0);

    private final Manifest manifest;
    private final Destination place;
    private final String name;
    private final @Nullable FileTime[] times;
    private final @Nullable String[] owners;
    private final BitSet doubtful = new BitSet();

    private LaterCopies(Manifest manifest, Destination place, String name, @Nullable FileTime[] times) {
        this.manifest = manifest;
        this.place = place;
        this.name = name;
        this.times = times;
        this.owners = new String[manifest.entryCount()];
    }

    /**
     * Finds them out, from the records of this node.
     *
     * @param record of the copy
     * @param manifest the entries that are asked about: those of the copy, or of a newer version of its source
     * @param place where the copy is
     */
    public static LaterCopies of(Path record, CopyHistory history, Manifest manifest, Destination place)
            throws IOException {
        LaterCopies later = new LaterCopies(manifest, place, CopyRecords.name(record), history.times(manifest));
        FileTime first = history.firstTime();
        for (Path other : CopyRecords.recorded(record.resolveSibling("."))) {
            String name = CopyRecords.name(other);
            FileTime last = later.canMeet(name) ? CopyHistory.lastTime(other) : null;
            // Only for speed: copies that came before have nothing of this one.
            if (last != null && last.compareTo(first) >= 0) {
                CopyHistory theirs = CopyHistory.read(other);
                if (theirs == null) {
                    later.doubt(last);
                } else {
                    int[] kept = later.entries(name, theirs.whole());
                    for (CopyLayer layer : theirs.layers()) {
                        later.give(name, layer, kept);
                    }
                }
            }
        }
        return later;
    }

    /** Whether another copy can have an entry of this one: not if both are of one file, under different names. */
    private boolean canMeet(String other) {
        String mine = CopyRecords.suffix(name);
        String theirs = CopyRecords.suffix(other);
        return !other.equals(name) && (mine.isEmpty() || theirs.isEmpty() || mine.equals(theirs));
    }

    /** At this time came a copy whose record cannot be read, so it may have any entry. */
    private void doubt(FileTime last) {
        for (int entry = 0; entry < owners.length; entry++) {
            FileTime mine = times[entry];
            if (mine == null || mine.compareTo(last) <= 0) {
                doubtful.set(entry);
            }
        }
    }

    /**
     * Gives another copy the entries that a run of it brought, if that was later. If its source has an entry no more, this copy keeps it, but the entry may have
     * the other's bytes.
     *
     * @param kept the entries of the other copy as a whole, as from {@link #entries(String, Manifest)}
     */
    private void give(String other, CopyLayer run, int[] kept) throws IOException {
        Manifest theirs = run.manifest();
        FileTime time = run.time();
        int[] found = entries(other, theirs);
        for (int entry = 0; entry < found.length; entry++) {
            if (found[entry] >= 0 && cameLater(other, time, entry) && !areDirectories(entry, theirs, found[entry])) {
                int end = manifest.subtreeEnd(entry);
                if (kept[entry] < 0) {
                    doubtful.set(entry, end);
                } else {
                    Arrays.fill(owners, entry, end, other);
                    Arrays.fill(times, entry, end, time);
                }
            }
        }
    }

    private boolean cameLater(String other, FileTime time, int entry) {
        FileTime mine = times[entry];
        String owner = owners[entry];
        int order = time.compareTo(mine == null ? NEVER : mine);
        // Some file systems may keep times too coarsely: then names decide, for both copies alike.
        return order > 0 || (order == 0 && other.compareTo(owner == null ? name : owner) > 0);
    }

    private boolean areDirectories(int entry, Manifest theirs, int there) {
        return manifest.kind(entry) == EntryKind.DIRECTORY && theirs.kind(there) == EntryKind.DIRECTORY;
    }

    /** For each entry, that of the other copy which lies in the same place; -1 if there is none. */
    private int[] entries(String other, Manifest theirs) {
        String mySuffix = CopyRecords.suffix(name);
        String theirSuffix = CopyRecords.suffix(other);
        if (mySuffix.isEmpty() && theirSuffix.isEmpty()) {
            return SameEntries.ofPath(manifest, theirs);
        }
        int[] found = new int[manifest.entryCount()];
        Arrays.fill(found, -1);
        String suffix = mySuffix.isEmpty() ? theirSuffix : mySuffix;
        int here = entry(manifest, mySuffix, suffix);
        if (here >= 0) {
            found[here] = entry(theirs, theirSuffix, suffix);
        }
        return found;
    }

    /** The entry that lies directly in the directory under the name with this suffix; -1 if there is none. */
    private int entry(Manifest of, String ownSuffix, String suffix) {
        if (!ownSuffix.isEmpty()) {
            return ownSuffix.equals(suffix) ? 0 : -1;
        }
        for (int entry = 0; entry < of.entryCount(); entry++) {
            if (Destination.isTop(of, entry)
                    && Staging.suffix(RawPaths.resolve(place.directory(), of.path(entry)))
                            .equals(suffix)) {
                return entry;
            }
        }
        return -1;
    }

    /** The entries that belong to later copies, or may have their bytes: their records cannot be read, or their sources have these entries no more. */
    public BitSet possible() {
        BitSet entries = entries(any -> true);
        entries.or(doubtful);
        return entries;
    }

    /** The entries that belong to later copies with such names. */
    BitSet entries(Predicate<String> isOwner) {
        BitSet entries = new BitSet();
        for (int entry = 0; entry < owners.length; entry++) {
            String owner = owners[entry];
            if (owner != null && isOwner.test(owner)) {
                entries.set(entry);
            }
        }
        return entries;
    }
}
