/** BitTorrent: a random mesh in which nodes give to those that give to them, and know nothing of clusters. */
@NullMarked
package org.robber.core.rivals.bittorrent;

import org.jspecify.annotations.NullMarked;
