package org.robber;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The part of the data that one of several roots has. It begins where the stripe before it ends.
 *
 * @param rootRank the node that has it
 * @param endBytes where it ends in the data
 */
public record RootStripe(int rootRank, long endBytes) {
    public RootStripe {
        checkArgument(rootRank >= 0, "root rank %s", rootRank);
        checkArgument(endBytes >= 0, "a stripe that ends at %s", endBytes);
    }
}
