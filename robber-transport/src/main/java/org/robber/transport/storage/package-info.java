/** Storages made of other storages, and the threads that read and write storages. */
@NullMarked
package org.robber.transport.storage;

import org.jspecify.annotations.NullMarked;
