/** Experiments on the command line: runs strategies in emulated networks, shows and reports what came out. */
@NullMarked
package org.robber.cli.emulate;

import org.jspecify.annotations.NullMarked;
