package org.robber.transport.storage.copy;

import java.util.BitSet;
import org.robber.RobberException;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.file.Destination;
import org.robber.transport.storage.file.FileFailures;

/**
 * Files that are in place already, and so are no part of what is copied.
 *
 * @param whole what is in place in the end
 * @param files entries of it; not copied, and not to be changed
 */
public record LeftOut(Manifest whole, BitSet files) {

    /**
     * Makes sure that they are still as they were when they were left out, as far as size, time and mode tell.
     *
     * @throws RobberException {@code DESTINATION}, naming the first that is not
     */
    void check(Destination destination) {
        BitSet changed = (BitSet) files.clone();
        changed.andNot(new FormerCopy(whole, destination, null).unchanged());
        if (!changed.isEmpty()) {
            throw FileFailures.destination(
                    "commit", StagedTree.changedMeanwhile(whole.pathText(changed.nextSetBit(0))), null);
        }
    }

    /**
     * As {@link #check(Destination)}, at a node that writes nothing because it has all.
     *
     * @param destination a path as the user gave it
     */
    public void check(String destination) {
        check(Destination.ofCopy(destination));
    }
}
