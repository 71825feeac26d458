/** A tree of files as a source: it is scanned, merged with others, and read. */
@NullMarked
package org.robber.transport.storage.source;

import org.jspecify.annotations.NullMarked;
