/** This node as a member of a group, and its part in a call. */
@NullMarked
package org.robber.transport.collective.member;

import org.jspecify.annotations.NullMarked;
