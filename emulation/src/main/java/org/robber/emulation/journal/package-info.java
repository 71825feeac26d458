/** A file that every finished run is written to at once, so that an experiment that was ended can go on where it stopped. */
@NullMarked
package org.robber.emulation.journal;

import org.jspecify.annotations.NullMarked;
