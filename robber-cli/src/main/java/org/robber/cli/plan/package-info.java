/** What a job is going to do: its parts, what it deletes, and how long it may take. */
@NullMarked
package org.robber.cli.plan;

import org.jspecify.annotations.NullMarked;
