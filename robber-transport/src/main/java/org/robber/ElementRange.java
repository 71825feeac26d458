package org.robber;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A range of elements of a buffer.
 *
 * @param first the first element, at least 0
 * @param end the element after the last one, at least {@code first}
 */
public record ElementRange(long first, long end) {
    public ElementRange {
        checkArgument(first >= 0 && first <= end, "a range of elements from %s to %s", first, end);
    }
}
