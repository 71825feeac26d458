/** How a scenario becomes addresses, namespaces, bridges and queues: pure functions from scenarios to command lines. */
@NullMarked
package org.robber.emulation.testbed.network;

import org.jspecify.annotations.NullMarked;
