/** File systems as storages need them: names as bytes, attributes, open channels, destinations, staging directories. */
@NullMarked
package org.robber.transport.storage.file;

import org.jspecify.annotations.NullMarked;
