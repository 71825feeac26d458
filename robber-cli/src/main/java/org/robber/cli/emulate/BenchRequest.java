package org.robber.cli.emulate;

import org.robber.emulation.experiment.Deadline;

/**
 * What the user wants compared.
 *
 * @param runs what is to be run, and how
 * @param deadline by when every node must have everything for a run to succeed
 * @param restart whether to forget the runs that the folder of the report holds
 * @param build what tells this Robber from others of the same version
 */
public record BenchRequest(EmulateRequest runs, Deadline deadline, boolean restart, String build) {}
