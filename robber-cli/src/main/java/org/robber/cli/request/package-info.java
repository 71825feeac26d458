/** The wishes of a user as nodes get them: copies, joins, checks and probes, with their terms and limits. */
@NullMarked
package org.robber.cli.request;

import org.jspecify.annotations.NullMarked;
