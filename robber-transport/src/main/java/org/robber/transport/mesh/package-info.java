/** Small collective calls of groups: connections between any two nodes, each made when a call first needs it. */
@org.jspecify.annotations.NullMarked
package org.robber.transport.mesh;
