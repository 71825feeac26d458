/** The wide-area network of kernels that can delay packets themselves: netem below HTB. */
@NullMarked
package org.robber.emulation.testbed.netem;

import org.jspecify.annotations.NullMarked;
