/** What people and programs get to read of an experiment: a page, and tables. */
@NullMarked
package org.robber.emulation.report;

import org.jspecify.annotations.NullMarked;
