/** Proof of membership: the greeting that begins every connection. */
@NullMarked
package org.robber.transport.security;

import org.jspecify.annotations.NullMarked;
