/** The daemon that starts nodes for other machines, and the frames that it speaks. */
@NullMarked
package org.robber.cli.serve;

import org.jspecify.annotations.NullMarked;
