/** Checks by measurement that a testbed has the rates and round trips of its scenario. */
@NullMarked
package org.robber.emulation.testbed.calibration;

import org.jspecify.annotations.NullMarked;
