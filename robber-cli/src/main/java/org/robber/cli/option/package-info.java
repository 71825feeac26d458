/** Options that several commands share, each declared once, and the texts that their values are read from. */
@NullMarked
package org.robber.cli.option;

import org.jspecify.annotations.NullMarked;
