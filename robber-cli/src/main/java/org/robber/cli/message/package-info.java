/** The form of what processes of one job tell each other. */
@NullMarked
package org.robber.cli.message;

import org.jspecify.annotations.NullMarked;
