/** Charts as SVG, small and self-contained: they stand in a page, in print, in light and in dark. */
@NullMarked
package org.robber.emulation.report.chart;

import org.jspecify.annotations.NullMarked;
