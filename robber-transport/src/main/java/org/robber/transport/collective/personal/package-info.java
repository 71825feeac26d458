/** Calls of middle size in messages from member to member, in steps over hosts and clusters. */
@NullMarked
package org.robber.transport.collective.personal;

import org.jspecify.annotations.NullMarked;
