/** The list of entries of a replicated tree, and the digests of its pieces. */
@NullMarked
package org.robber.transport.manifest;

import org.jspecify.annotations.NullMarked;
