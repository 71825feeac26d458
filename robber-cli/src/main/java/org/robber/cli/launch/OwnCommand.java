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
        command.addAll(flags());
        return command;
    }

    /** The flags of Java for short jobs, as the launcher's script has set them. */
    public static List<String> flags() {
        @Nullable String flags = System.getenv("ROBBER_CLI_JAVA_FLAGS");
        return flags == null
                ? List.of()
                : flags.lines().filter(flag -> !flag.isBlank()).toList();
    }

    /** The part of the command between the flags of Java and the arguments; a jar needs no class path. */
    public static List<String> program() {
        return List.of("-jar", System.getProperty("java.class.path"));
    }
}
