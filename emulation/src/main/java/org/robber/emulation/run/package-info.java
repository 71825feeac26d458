/** What a run of a strategy in a scenario produced, whatever it ran in. */
@NullMarked
package org.robber.emulation.run;

import org.jspecify.annotations.NullMarked;
