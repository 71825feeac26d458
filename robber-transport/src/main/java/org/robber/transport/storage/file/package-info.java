/** What other parts need of file systems: names as bytes, states and attributes of files, open channels, destinations, staging directories. */
@NullMarked
package org.robber.transport.storage.file;

import org.jspecify.annotations.NullMarked;
