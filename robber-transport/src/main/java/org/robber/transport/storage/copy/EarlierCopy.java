package org.robber.transport.storage.copy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.file.Destination;
import org.robber.transport.storage.file.Staging;
import org.robber.transport.storage.record.CopyHistory;
import org.robber.transport.storage.record.CopyRecords;
import org.robber.transport.storage.record.LaterCopies;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node has of a source from an earlier copy, as far as sizes and times tell. No file is read.
 *
 * @param unchanged files that have the size, time and mode of the source, of whose bytes the digests are recorded, and that do not belong
 *     to a later copy of another source in the same directory
 * @param manifest what the earlier copy consisted of; null if nothing is recorded of it
 */
public record EarlierCopy(BitSet unchanged, @Nullable Manifest manifest) {
    private static final Logger LOG = LoggerFactory.getLogger(EarlierCopy.class);

    /** More journals than these make all but the largest be read again. */
    private static final int MOST_LAYERS = 8;

    /** Of a node that has nothing. */
    public static EarlierCopy none() {
        return new EarlierCopy(new BitSet(), null);
    }

    /**
     * Looks for it.
     *
     * @param destination a path as the user gave it
     * @param wanted what is to be copied there
     * @param key of the copy: {@link CopyTerms#key}
     */
    public static EarlierCopy find(String destination, Manifest wanted, CopyRecords records, String key) {
        Destination place = Destination.ofCopy(destination);
        try {
            Path record = records.of(place.directory(), key + Staging.suffix(place.singlePlace()));
            CopyHistory history = CopyHistory.read(record);
            if (history == null || (place.singlePlace() != null && !wanted.isSingle())) {
                return none();
            }
            BitSet inPlace = new FormerCopy(wanted, place, null).unchanged();
            BitSet unchanged = history.covered(wanted, inPlace, MOST_LAYERS);
            LaterCopies later = LaterCopies.of(record, history, wanted, place);
            // A later copy may have put its own bytes in the place of these files. The sizes and times may be the same,
            // so they have to be read.
            unchanged.andNot(later.possible());
            return new EarlierCopy(unchanged, history.whole());
        } catch (IOException e) {
            LOG.debug("Nothing is known of an earlier copy in {}", destination, e);
            return none();
        }
    }
}
