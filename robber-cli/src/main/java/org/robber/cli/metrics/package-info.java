/** Figures of a running job for Prometheus and what reads its formats. */
@NullMarked
package org.robber.cli.metrics;

import org.jspecify.annotations.NullMarked;
