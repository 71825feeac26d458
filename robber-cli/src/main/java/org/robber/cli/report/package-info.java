/** The report of a job: a table for people, JSON for programs. */
@NullMarked
package org.robber.cli.report;

import org.jspecify.annotations.NullMarked;
