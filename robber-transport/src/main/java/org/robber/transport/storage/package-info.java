/** Storages: memory, a file, a tree of files; with what makes writing safe. */
@NullMarked
package org.robber.transport.storage;

import org.jspecify.annotations.NullMarked;
