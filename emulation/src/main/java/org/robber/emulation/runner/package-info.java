/** Runs experiments: reads scenarios, runs strategies in the simulator or the testbed, and keeps a journal and a report. */
@NullMarked
package org.robber.emulation.runner;

import org.jspecify.annotations.NullMarked;
