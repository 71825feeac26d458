package org.robber.transport.storage.copy;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.manifest.Manifest;

/**
 * The parameters of a copy that decide whether another run can continue it.
 *
 * @param key names the staging directory: 1..100 letters, digits and {@code ._-}; the same in every run that makes this
 *     copy, and another for each other source
 * @param layout the pieces that it arrives in
 * @param digest name of the pieces' digest
 * @param restart whether to throw away what an earlier run has left
 * @param leftOut files that are in place already; null if there are none
 * @param former what an earlier copy consisted of, for files that have moved since; null if nothing is known of it
 */
public record CopyTerms(
        String key,
        PieceLayout layout,
        String digest,
        boolean restart,
        @Nullable LeftOut leftOut,
        @Nullable Manifest former) {
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,99}");

    /** For a copy that is made from nothing, or from what an earlier run has left. */
    public CopyTerms(String key, PieceLayout layout, String digest, boolean restart) {
        this(key, layout, digest, restart, null, null);
    }

    /** The same for a copy that leaves out files which are in place, and takes over others that have moved. */
    public CopyTerms after(LeftOut newLeftOut, @Nullable Manifest newFormer) {
        return new CopyTerms(key, layout, digest, restart, newLeftOut.files().isEmpty() ? null : newLeftOut, newFormer);
    }

    public CopyTerms {
        checkArgument(KEY.matcher(key).matches(), "bad key: %s", key);
    }
}
