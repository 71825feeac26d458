package org.robber.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.robber.cli.SoakHarm.Kind;

/** Does its harm to a {@link SoakRun}. */
final class SoakBlow {

    private final SoakJob job;
    private final SoakRun run;

    SoakBlow(SoakJob job, SoakRun run) {
        this.job = job;
        this.run = run;
    }

    /** Waits for the moment of the harm and does it; whether it could, before the job was over. */
    boolean strike(long limitNanos) throws IOException, InterruptedException {
        long end = System.nanoTime() + limitNanos;
        SoakMoment moment = new SoakMoment(job, run);
        while (!moment.hasCome()) {
            if (!run.running() || System.nanoTime() > end) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return switch (job.harm().kind()) {
            case CUT -> {
                run.net().orElseThrow().cutWhile(run::running);
                yield true;
            }
            case CORRUPT -> {
                killAll();
                run.setSpoilt(SoakRot.spoil(random(), places()));
                run.startAgain();
                yield true;
            }
            case FLIP -> {
                run.setSpoilt(
                        SoakRot.flip(random(), run.place(job.harm().victims().get(0))));
                yield !run.spoilt().isEmpty();
            }
            default -> strikeVictims();
        };
    }

    private SplittableRandom random() {
        return new SplittableRandom(job.seed());
    }

    private List<Path> places() {
        return IntStream.range(0, job.nodes()).mapToObj(run::place).toList();
    }

    private void killAll() throws IOException, InterruptedException {
        for (List<ProcessHandle> left = run.processes(); !left.isEmpty(); left = run.processes()) {
            left.forEach(ProcessHandle::destroyForcibly);
        }
        for (int rank = 0; rank < job.nodes(); rank++) {
            run.exitCode(rank);
        }
    }

    private boolean strikeVictims() throws IOException, InterruptedException {
        List<ProcessHandle> victims = run.victims();
        long delayMicros = job.harm().delayMicros();
        if (job.harm().kind() != Kind.PAUSE) {
            TimeUnit.MICROSECONDS.sleep(delayMicros);
        }
        boolean done = false;
        for (ProcessHandle victim : victims) {
            done |= switch (job.harm().kind()) {
                case KILL -> victim.destroyForcibly();
                case STOP -> SoakSignal.send("STOP", victim);
                case PAUSE -> SoakSignal.pause(victim, delayMicros);
                case FILL ->
                    SoakDisk.fill(victim, run.place(job.harm().victims().get(0)));
                default -> victim.destroy();
            };
        }
        return done;
    }
}
