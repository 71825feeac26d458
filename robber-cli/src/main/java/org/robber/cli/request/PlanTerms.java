package org.robber.cli.request;

import org.jspecify.annotations.Nullable;
import org.robber.SendLimits;

/**
 * What a plan needs beyond the request, to say how long the job would take.
 *
 * @param limits of what each node sends
 * @param network the file with the network between the clusters, or null
 */
public record PlanTerms(SendLimits limits, @Nullable BandwidthFile network) {}
