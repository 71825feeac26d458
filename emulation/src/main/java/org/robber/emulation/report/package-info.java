/** Reports of an experiment, for people and programs: a page, and tables. */
@NullMarked
package org.robber.emulation.report;

import org.jspecify.annotations.NullMarked;
