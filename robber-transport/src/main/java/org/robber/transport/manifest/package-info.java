/** What a replicated tree consists of, and the digests by which it is verified. */
@NullMarked
package org.robber.transport.manifest;

import org.jspecify.annotations.NullMarked;
