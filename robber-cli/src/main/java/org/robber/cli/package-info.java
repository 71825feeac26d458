/** The command line: stages data on the nodes of clusters, and compares strategies. */
@NullMarked
package org.robber.cli;

import org.jspecify.annotations.NullMarked;
