/** How much and how fast a connection sends, and when it is stalled. */
@NullMarked
package org.robber.transport.link.pace;

import org.jspecify.annotations.NullMarked;
