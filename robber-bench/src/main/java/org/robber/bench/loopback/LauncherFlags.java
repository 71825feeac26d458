package org.robber.bench.loopback;

import java.util.ArrayList;
import java.util.List;

/**
 * The flags that the launcher of {@code robber-cli} gives its processes, so that what is measured here is what users get. A
 * test compares the two.
 */
final class LauncherFlags {
    private static final List<String> FLAGS = List.of(
            "-XX:+UseSerialGC",
            "-Xms16m",
            "-Xmx512m",
            "-XX:MaxDirectMemorySize=64g",
            "-XX:TieredStopAtLevel=1",
            "-XX:C1MaxInlineSize=20",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:ArchiveRelocationMode=0",
            "-Xlog:disable",
            "-Xlog:all=error,cds=off:stderr",
            "-Dio.netty.tryReflectionSetAccessible=true",
            "-Dio.netty.jfr.enabled=false",
            "-Dio.netty.leakDetection.level=disabled");

    /** The flags in the manifest of the launcher's jar; a process with a class path needs them as arguments. */
    private static final List<String> OF_THE_MANIFEST =
            List.of("--add-opens=java.base/java.nio=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED");

    private static final String FOR_NEWER_JAVA = "--sun-misc-unsafe-memory-access=allow";
    private static final int NEWER_JAVA = 23;

    /** The digest that is slow without the optimising compiler. */
    private static final String SLOW_DIGEST = "sha256";

    private static final String FOR_SLOW_DIGEST = "-XX:TieredStopAtLevel=4";

    private LauncherFlags() {}

    /** All that the processes need on the Java that runs this, for jobs with this digest. */
    static List<String> ofThisJava(String digest) {
        List<String> flags = new ArrayList<>(of(Runtime.version().feature(), digest));
        flags.addAll(OF_THE_MANIFEST);
        return flags;
    }

    /** The launcher's flags on Java of this feature version, for jobs with this digest. */
    static List<String> of(int feature, String digest) {
        List<String> flags = new ArrayList<>(FLAGS);
        if (feature >= NEWER_JAVA) {
            flags.add(FOR_NEWER_JAVA);
        }
        if (digest.equals(SLOW_DIGEST)) {
            flags.add(FOR_SLOW_DIGEST);
        }
        return flags;
    }
}
