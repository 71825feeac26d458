package org.robber.cli;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipFile;
import org.robber.Robber;
import org.robber.cli.launch.OwnCommand;
import org.robber.core.strategy.Strategies;
import org.robber.emulation.runner.ExperimentRun;

/** Tells builds of the same version apart, as there are many between two releases: figures of two builds are not comparable. */
final class BuildDigest {
    private static final int DIGITS = 12;
    private static final List<Class<?>> ONE_OF_EACH_JAR =
            List.of(BuildDigest.class, Robber.class, Strategies.class, ExperimentRun.class);

    private BuildDigest() {}

    /** The program and its build, for people. */
    static String ofProgram() {
        return "robber-cli " + VersionText.version() + " (build " + text() + ")";
    }

    /** Some digits of the digest of Robber's own jars; {@code unpackaged} if it is not run from jars. */
    static String text() {
        Hasher hasher = Hashing.sha256().newHasher();
        for (Class<?> type : ONE_OF_EACH_JAR) {
            Path jar = OwnCommand.jar(type);
            try {
                if (jar == null || !Files.isRegularFile(jar)) {
                    return "unpackaged";
                }
                put(jar, hasher);
            } catch (IOException e) {
                return "unreadable";
            }
        }
        return hasher.hash().toString().substring(0, DIGITS);
    }

    /** All but the commit: a change of the documentation alone makes no other program. */
    private static void put(Path jar, Hasher hasher) throws IOException {
        try (ZipFile archive = new ZipFile(jar.toFile())) {
            archive.stream()
                    .filter(entry -> !entry.getName().endsWith("/" + VersionText.COMMIT_FILE))
                    .forEach(entry -> hasher.putUnencodedChars(entry.getName())
                            .putLong(entry.getSize())
                            .putLong(entry.getCrc()));
        }
    }
}
