/** How far a job is, shown on standard error while it runs. */
@NullMarked
package org.robber.cli.progress;

import org.jspecify.annotations.NullMarked;
