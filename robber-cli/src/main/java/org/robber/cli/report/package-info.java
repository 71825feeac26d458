/** What a job reports in the end: a table for people, JSON for programs. */
@NullMarked
package org.robber.cli.report;

import org.jspecify.annotations.NullMarked;
