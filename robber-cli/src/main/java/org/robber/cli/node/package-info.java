/** One node's run of a command: its output, its failures, its deadline and its end. */
@NullMarked
package org.robber.cli.node;

import org.jspecify.annotations.NullMarked;
