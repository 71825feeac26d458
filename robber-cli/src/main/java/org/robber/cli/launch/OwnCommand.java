package org.robber.cli.launch;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How this process was started, to start others like it: the same Java, the launcher's flags, the same jar. */
public final class OwnCommand {

    private OwnCommand() {}

    /** Java with its flags: those of short jobs, even where this process has others. */
    public static List<String> java() {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        @Nullable String flags = System.getenv("ROBBER_CLI_JAVA_FLAGS");
        if (flags != null) {
            flags.lines().filter(flag -> !flag.isBlank()).forEach(command::add);
        }
        return command;
    }

    /** What follows the flags of Java, up to the arguments: run from its jar, that is all the class path there is. */
    public static List<String> program() {
        return List.of("-jar", System.getProperty("java.class.path"));
    }
}
