/** What a user asks for, as nodes get it: copies, joins, checks and probes, with their terms and limits. */
@NullMarked
package org.robber.cli.request;

import org.jspecify.annotations.NullMarked;
