/** Reads JSON: scenarios, journals, reports of other processes and their lines of events. */
@NullMarked
package org.robber.emulation.json;

import org.jspecify.annotations.NullMarked;
