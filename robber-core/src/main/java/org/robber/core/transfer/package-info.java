/** Parts that all strategies share by composition: routing of events, actions to perform, possession, counters, and the end. */
@NullMarked
package org.robber.core.transfer;

import org.jspecify.annotations.NullMarked;
