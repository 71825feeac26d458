package org.robber.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class VersionText implements IVersionProvider {

    /** Beside this class; written by the build. */
    static final String COMMIT_FILE = "commit.txt";

    /** The version of Robber, as the jar says. */
    static String version() {
        String version = VersionText.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }

    /** The commit that it was built from, if the build knew it; "-changed" follows if files of it had changed. */
    private static String commit() {
        try (@Nullable InputStream file = VersionText.class.getResourceAsStream(COMMIT_FILE)) {
            String id = file == null ? "" : new String(file.readAllBytes(), StandardCharsets.UTF_8).strip();
            return id.isEmpty() ? "unknown commit" : "commit " + id;
        } catch (IOException e) {
            return "unknown commit: " + e;
        }
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "robber-cli " + version() + ", " + commit(),
            "Java " + System.getProperty("java.version") + " (" + System.getProperty("java.vm.name") + ")"
        };
    }
}
