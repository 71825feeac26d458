/** Measures whether a testbed gives what its scenario asks for. */
@NullMarked
package org.robber.emulation.testbed.calibration;

import org.jspecify.annotations.NullMarked;
