package org.robber.transport.launch;

import java.util.Map;

/** Where the files of this user are. */
public final class UserHome {
    private UserHome() {}

    /** The folder that the shell calls {@code ~}: {@code HOME}, or else what the list of users says. */
    public static String path() {
        return path(System.getenv(), System.getProperty("user.home"));
    }

    /** As {@link #path()}, from this environment and Java's word for the same. */
    static String path(Map<String, String> environment, String ofJava) {
        String home = environment.getOrDefault("HOME", "");
        if (home.startsWith("/")) {
            return home;
        }
        // Java says "?" of users that no list names, such as those of containers. Such a user has the home of
        // containers.
        return ofJava.startsWith("/") ? ofJava : "/";
    }
}
