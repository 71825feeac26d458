/** Sets up the log: to standard error, in one line each. */
@NullMarked
package org.robber.cli.log;

import org.jspecify.annotations.NullMarked;
