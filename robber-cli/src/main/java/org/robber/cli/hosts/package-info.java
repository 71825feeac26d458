/** Lists of hosts as operators write them. */
@NullMarked
package org.robber.cli.hosts;

import org.jspecify.annotations.NullMarked;
