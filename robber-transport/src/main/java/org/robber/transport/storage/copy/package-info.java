/** A tree of files that is written: it is staged, resumed, completed from former copies, and put into its place. */
@NullMarked
package org.robber.transport.storage.copy;

import org.jspecify.annotations.NullMarked;
