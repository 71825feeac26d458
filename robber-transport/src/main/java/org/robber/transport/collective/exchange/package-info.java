/** What a call knows of its group and of its connections. */
@NullMarked
package org.robber.transport.collective.exchange;

import org.jspecify.annotations.NullMarked;
