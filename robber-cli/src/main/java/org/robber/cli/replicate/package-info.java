/** One node's part in bringing a tree of files to all nodes. */
@NullMarked
package org.robber.cli.replicate;

import org.jspecify.annotations.NullMarked;
