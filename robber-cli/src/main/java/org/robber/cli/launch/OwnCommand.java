package org.robber.cli.launch;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How this process was started, to start others like it: the same Java, the launcher's flags, the same jars. */
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

    /** The part of the command between the flags of Java and the arguments. Jars of users, with strategies of theirs, are only on a class path. */
    public static List<String> program() {
        String classPath = System.getProperty("java.class.path");
        return classPath.contains(File.pathSeparator)
                ? List.of("-cp", classPath, "org.robber.cli.Main")
                : List.of("-jar", classPath);
    }

    /** The jar that a class comes from, or the folder of its package; null if there is neither. */
    public static @Nullable Path jar(Class<?> type) {
        @Nullable CodeSource source = type.getProtectionDomain().getCodeSource();
        try {
            return source == null || source.getLocation() == null
                    ? null
                    : Path.of(source.getLocation().toURI());
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
