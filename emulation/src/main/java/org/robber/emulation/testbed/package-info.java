/** Scenarios with real processes: network namespaces for the nodes, and a wide-area network between their clusters. */
@NullMarked
package org.robber.emulation.testbed;

import org.jspecify.annotations.NullMarked;
