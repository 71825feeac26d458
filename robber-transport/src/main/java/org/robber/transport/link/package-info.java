/** The data path: connections between peers, and the transfers over them. */
@NullMarked
package org.robber.transport.link;

import org.jspecify.annotations.NullMarked;
