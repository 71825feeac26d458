package org.robber.cli;

import picocli.CommandLine.Command;

/** {@code robber-cli plan}: the same as {@code replicate --dry-run}. */
@Command(
        name = "plan",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        description = {
            "Says what 'replicate' with the same arguments would do: nodes, clusters and how they were found, bytes, copies for"
                    + " each link, expected time, problems. Writes nothing.",
            "The options are those of replicate."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  robber-cli plan -w A:node[01-16],B:gpu[001-064] /data/model /scratch/",
            "  srun robber-cli plan -o json --bandwidths=network.json /data/model /scratch/",
            "%nExit codes:",
            "  0 nothing stands in the way; else what the job would end with: 3 source; 4 too few nodes;",
            "  6 destination; 23 some nodes or entries of the source would be left out; others as for replicate"
        })
final class PlanCommand extends ReplicateCommand {

    @Override
    boolean dryRun() {
        return true;
    }
}
