/** Small collective calls of groups: connections between any two nodes, each made when a call first needs it. */
@NullMarked
package org.robber.transport.mesh;

import org.jspecify.annotations.NullMarked;
