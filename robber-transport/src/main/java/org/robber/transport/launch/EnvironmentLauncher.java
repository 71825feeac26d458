package org.robber.transport.launch;

import java.util.Map;
import org.robber.JobOptions;
import org.robber.Launcher;

/** The launchers that {@link LaunchEnvironment} knows. */
public final class EnvironmentLauncher implements Launcher {

    @Override
    public boolean isPresent(Map<String, String> variables) {
        return LaunchEnvironment.of(variables).isPresent();
    }

    @Override
    public JobOptions jobOptions(Map<String, String> variables) {
        return LaunchEnvironment.of(variables).jobOptions();
    }
}
