/** The plan of a job: who gets what, what is deleted, and how long it may take. */
@NullMarked
package org.robber.cli.plan;

import org.jspecify.annotations.NullMarked;
