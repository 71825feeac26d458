/** What on this machine holds transfers back: checks of its network, its limits and its disk. */
@NullMarked
package org.robber.cli.doctor;

import org.jspecify.annotations.NullMarked;
