/** The state that a node keeps of each of its peers: presence, offers, outstanding requests, rate of answers, corruption, end. */
@NullMarked
package org.robber.core.peer;

import org.jspecify.annotations.NullMarked;
