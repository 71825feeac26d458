package org.robber.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.robber.cli.SoakHarm.Kind;

/** What became of the jobs of a soak. */
final class SoakTally {

    private final Map<Kind, Integer> jobs = new TreeMap<>();
    private final Map<Kind, Integer> tooLate = new TreeMap<>();
    private final List<Long> failed = new ArrayList<>();

    /** A job that ended as it must; whether it was harmed, or over before. */
    void add(SoakJob job, boolean harmed) {
        Kind kind = job.harm().kind();
        jobs.merge(kind, 1, Integer::sum);
        if (kind != Kind.NONE && !harmed) {
            tooLate.merge(kind, 1, Integer::sum);
        }
    }

    /** A job that did not. */
    void addFailed(SoakJob job) {
        jobs.merge(job.harm().kind(), 1, Integer::sum);
        failed.add(job.seed());
    }

    @Override
    public String toString() {
        int all = jobs.values().stream().mapToInt(Integer::intValue).sum();
        return "soak: " + all + " jobs by harm: " + jobs + ", over before it: " + tooLate
                + (failed.isEmpty() ? "; none failed" : "; FAILED: seeds " + failed);
    }
}
