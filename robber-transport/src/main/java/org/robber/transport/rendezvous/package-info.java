/** How the nodes of a job find each other and stay together: the control connections around rank 0. */
@NullMarked
package org.robber.transport.rendezvous;

import org.jspecify.annotations.NullMarked;
