package org.robber.cli;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Signals to processes that may have ended. */
final class SoakSignal {

    private SoakSignal() {}

    /** Stops a process for so long; whether it was there all the time. */
    static boolean pause(ProcessHandle victim, long micros) throws IOException, InterruptedException {
        if (!send("STOP", victim)) {
            return false;
        }
        TimeUnit.MICROSECONDS.sleep(micros);
        return send("CONT", victim);
    }

    /** Whether the process was there to get it. */
    static boolean send(String name, ProcessHandle victim) throws IOException, InterruptedException {
        return new ProcessBuilder("kill", "-" + name, Long.toString(victim.pid()))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
