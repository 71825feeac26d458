/** Results of a run of a strategy in a scenario, the same for every backend. */
@NullMarked
package org.robber.emulation.run;

import org.jspecify.annotations.NullMarked;
