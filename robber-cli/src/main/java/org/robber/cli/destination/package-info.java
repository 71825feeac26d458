/** The places that nodes write to, and the checks of these places. */
@NullMarked
package org.robber.cli.destination;

import org.jspecify.annotations.NullMarked;
