package org.robber.cli;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.Robber;
import org.robber.core.strategy.Strategies;
import org.robber.emulation.runner.ExperimentRun;

/** Tells builds of the same version apart, as there are many between two releases: figures of two builds are not comparable. */
final class BuildDigest {
    private static final int DIGITS = 12;
    private static final List<Class<?>> ONE_OF_EACH_JAR =
            List.of(BuildDigest.class, Robber.class, Strategies.class, ExperimentRun.class);

    private BuildDigest() {}

    /** Some digits of the digest of Robber's own jars; {@code unpackaged} if it is not run from jars. */
    static String text() {
        Hasher hasher = Hashing.sha256().newHasher();
        for (Class<?> type : ONE_OF_EACH_JAR) {
            Path jar = jar(type);
            try {
                if (jar == null || !Files.isRegularFile(jar)) {
                    return "unpackaged";
                }
                hasher.putBytes(Files.readAllBytes(jar));
            } catch (IOException e) {
                return "unreadable";
            }
        }
        return hasher.hash().toString().substring(0, DIGITS);
    }

    private static @Nullable Path jar(Class<?> type) {
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
