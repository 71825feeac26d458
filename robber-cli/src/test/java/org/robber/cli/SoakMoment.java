package org.robber.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Sees from outside how far the nodes of a {@link SoakRun} have come. */
final class SoakMoment {

    private final SoakJob job;
    private final SoakRun run;

    SoakMoment(SoakJob job, SoakRun run) {
        this.job = job;
        this.run = run;
    }

    /** Whether the moment of the job's harm has come. */
    boolean hasCome() throws IOException {
        int watched = job.harm().watched();
        return switch (job.harm().moment()) {
            case STARTED -> run.process(watched).isPresent();
            case STAGED ->
                run.process(watched).isPresent()
                        && namesSeenBy(watched).stream().anyMatch(SoakRun::isStaging);
            case TRANSFERRING -> run.err(0).contains("\"type\":\"started\"");
            case WRITTEN -> written(watched) > job.harm().share() * job.source().bytes();
            case SHOWN -> namesSeenBy(watched).stream().anyMatch(name -> !SoakRun.isStaging(name));
        };
    }

    /** What is in a node's place as the node sees it. */
    private List<String> namesSeenBy(int rank) throws IOException {
        Optional<ProcessHandle> node = run.process(rank);
        return job.harm().hidesCopyOf(rank) && node.isPresent()
                ? SoakRun.names(Path.of("/proc/" + node.get().pid() + "/root" + run.place(rank)))
                : run.names(rank);
    }

    /** What the kernel has counted of what the node wrote: its copy, and a little more. */
    private long written(int rank) throws IOException {
        Optional<ProcessHandle> node = run.process(rank);
        if (node.isEmpty() || namesSeenBy(rank).isEmpty()) {
            return 0;
        }
        try {
            return Files.readAllLines(Path.of("/proc/" + node.get().pid() + "/io")).stream()
                    .filter(line -> line.startsWith("wchar: "))
                    .mapToLong(line -> Long.parseLong(line.substring("wchar: ".length())))
                    .sum();
        } catch (IOException e) {
            // it has ended
            return 0;
        }
    }
}
