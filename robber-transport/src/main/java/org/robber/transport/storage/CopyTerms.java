package org.robber.transport.storage;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceLayout;

/**
 * The parameters of a copy that decide whether another run can continue it.
 *
 * @param key names the staging directory: 1..100 letters, digits and {@code ._-}; the same in every run that makes this
 *     copy, and another for each other source
 * @param layout the pieces that it arrives in
 * @param digest name of the pieces' digest
 * @param restart whether to throw away what an earlier run has left
 * @param record of the copy that is in place, as {@link TreeTarget#commit} has kept it, to repair that; else null
 */
public record CopyTerms(
        String key,
        PieceLayout layout,
        String digest,
        boolean restart,
        @Nullable Path record) {
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,99}");

    /** For a copy that is made from nothing, or from what an earlier run has left. */
    public CopyTerms(String key, PieceLayout layout, String digest, boolean restart) {
        this(key, layout, digest, restart, null);
    }

    public CopyTerms {
        checkArgument(KEY.matcher(key).matches(), "bad key: %s", key);
    }
}
