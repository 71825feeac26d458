/** Networks to emulate, and how they change: the one description that simulator, testbed and bound share. */
@NullMarked
package org.robber.emulation.scenario;

import org.jspecify.annotations.NullMarked;
