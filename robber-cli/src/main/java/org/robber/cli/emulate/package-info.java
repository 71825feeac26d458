/** Experiments on the command line: shows the progress and the results of experiments. */
@NullMarked
package org.robber.cli.emulate;

import org.jspecify.annotations.NullMarked;
