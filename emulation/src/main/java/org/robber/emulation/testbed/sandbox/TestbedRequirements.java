package org.robber.emulation.testbed.sandbox;

import com.google.common.collect.ImmutableList;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Requirements of a testbed on the machine, with advice where one is missing. */
public final class TestbedRequirements {

    private static final String PATH_ELSEWHERE = "/usr/sbin:/sbin:/usr/bin:/bin";

    private TestbedRequirements() {}

    /**
     * Checks all requirements of a testbed.
     *
     * @throws TestbedException if something is missing; names everything missing and the remedy
     */
    public static void check() {
        requireNone(missing());
    }

    static void requireNone(ImmutableList<String> missing) {
        if (!missing.isEmpty()) {
            throw new TestbedException("the testbed cannot run here: " + String.join("; ", missing));
        }
    }

    /**
     * Checks that memory has room for files and programs of these sizes.
     *
     * @throws TestbedException if not; names the available memory
     */
    public static void checkMemory(long fileBytes, long programBytes) {
        long availableBytes = MemoryInfo.now().availableBytes();
        if (fileBytes + programBytes > availableBytes) {
            throw new TestbedException(String.format(
                    Locale.ROOT,
                    "not enough memory: %.1f GB for copies of the data and %.1f GB for programs, of which %.1f GB are"
                            + " available: take fewer nodes, or less data",
                    fileBytes / 1e9,
                    programBytes / 1e9,
                    availableBytes / 1e9));
        }
    }

    /** Everything missing, with the remedy; empty if a testbed can run. */
    public static ImmutableList<String> missing() {
        ImmutableList<String> known = missing(
                System.getProperty("os.name").equals("Linux"),
                isRoot(),
                TestbedRequirements::isInstalled,
                Files.exists(Path.of("/dev/net/tun")));
        return known.isEmpty() ? KernelProbe.missing() : known;
    }

    /** Missing commands and permissions; the kernel is not tried. */
    static ImmutableList<String> missing(
            boolean isLinux, boolean isRoot, Predicate<String> isInstalled, boolean hasTunnels) {
        ImmutableList.Builder<String> missing = ImmutableList.builder();
        if (!isLinux) {
            return missing.add("it needs Linux; the simulator runs everywhere").build();
        }
        if (!isRoot) {
            missing.add("it needs root to make network namespaces: run it with sudo");
        }
        for (String command : new String[] {"ip", "tc"}) {
            if (!isInstalled.test(command)) {
                missing.add("no " + command + ": install the package iproute2");
            }
        }
        for (String command : new String[] {"unshare", "nsenter", "mount"}) {
            if (!isInstalled.test(command)) {
                missing.add("no " + command + ": install the package util-linux");
            }
        }
        if (!hasTunnels) {
            missing.add("no /dev/net/tun: run modprobe tun, or give the container --device /dev/net/tun");
        }
        return missing.build();
    }

    /** Whether this process may do everything: user 0. */
    private static boolean isRoot() {
        try {
            Process id = new ProcessBuilder("id", "-u").start();
            String user = new String(id.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return id.waitFor(10, TimeUnit.SECONDS) && user.strip().equals("0");
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static boolean isInstalled(String command) {
        String path = System.getenv().getOrDefault("PATH", PATH_ELSEWHERE);
        for (String folder : path.split(File.pathSeparator, -1)) {
            if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, command))) {
                return true;
            }
        }
        return false;
    }
}
