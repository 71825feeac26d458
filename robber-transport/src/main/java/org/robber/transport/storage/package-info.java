/** Storages: memory, a file, a tree of files; staging, resuming and verifying of trees. */
@NullMarked
package org.robber.transport.storage;

import org.jspecify.annotations.NullMarked;
