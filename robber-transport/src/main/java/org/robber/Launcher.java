package org.robber;

import java.util.Map;

/**
 * Reads from the environment of a process which node of which job it is, as told by the program that started it; found through
 * {@link java.util.ServiceLoader}. Stateless.
 */
public interface Launcher {

    /** Whether these variables speak of a job at all, be it only in part. */
    boolean isPresent(Map<String, String> variables);

    /**
     * How this node finds its job.
     *
     * @throws RobberException with reason {@link RobberException.Reason#USAGE} if the variables tell of no job, or tell
     *     something of it that is missing a part or makes no sense; names the variable
     */
    JobOptions jobOptions(Map<String, String> variables);
}
