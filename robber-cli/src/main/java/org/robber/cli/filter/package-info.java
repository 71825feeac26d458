/** Which entries of a source are copied: rules with rsync's patterns, and lists of files. */
@NullMarked
package org.robber.cli.filter;

import org.jspecify.annotations.NullMarked;
