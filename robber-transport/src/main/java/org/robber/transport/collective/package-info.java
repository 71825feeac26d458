/**
 * Collective calls on the data of users: what each call brings from where to where. Few bytes go in a meeting of the group, more as an exchange of
 * pieces.
 */
@NullMarked
package org.robber.transport.collective;

import org.jspecify.annotations.NullMarked;
