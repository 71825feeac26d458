package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What users install works where it is put, and names what it contains. */
@Execution(ExecutionMode.CONCURRENT)
class DistributionIT {

    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final String VERSION = System.getProperty("robber.version");

    @TempDir
    Path top;

    @Test
    @Tag("smoke")
    void theArchiveRunsWhereItIsUnpacked() throws IOException, InterruptedException {
        Path home = unpack();

        assertThat(home.getFileName()).hasToString("robber-" + VERSION);
        assertThat(run(home.resolve("bin/robber-cli"), "--version")).startsWith("robber-cli " + VERSION);
        Path link = Files.createSymbolicLink(top.resolve("link with blanks"), home.resolve("bin/robber-cli"));
        assertThatItCopies(link);
    }

    @Test
    @Tag("smoke")
    void theDebianPackageIsInstalledAndRemoved() throws IOException, InterruptedException {
        assumeThat(Path.of("/usr/bin/dpkg")).exists();
        assumeThat(System.getProperty("user.name")).isEqualTo("root");
        Path root = top.resolve("root");
        for (String folder : List.of("info", "triggers", "updates")) {
            Files.createDirectories(root.resolve("var/lib/dpkg").resolve(folder));
        }
        Files.createFile(root.resolve("var/lib/dpkg/status"));
        String file = TARGET.resolve("robber_" + VERSION + "_all.deb").toString();

        // The new root has no Java; that of this machine runs the program.
        run(Path.of("dpkg"), "--root=" + root, "--force-depends", "--install", file);
        Path program = root.resolve("usr/bin/robber-cli");
        assertThat(run(program, "--version")).startsWith("robber-cli " + VERSION);
        assertThatItCopies(program);
        assertThat(root.resolve("usr/share/man/man1/robber-cli.1")).isRegularFile();
        assertThat(root.resolve("usr/share/bash-completion/completions/robber-cli"))
                .isRegularFile();
        assertThat(root.resolve("usr/share/doc/robber/copyright")).isRegularFile();
        assertThat(root.resolve("usr/lib/systemd/system/robber.service")).isRegularFile();
        assertThat(root.resolve("usr/lib/systemd/system/robber.socket")).isRegularFile();
        assertThat(root.resolve("usr/lib/sysusers.d/robber.conf")).isRegularFile();

        run(Path.of("dpkg"), "--root=" + root, "--purge", "robber");
        assertThat(root.resolve("usr")).doesNotExist();
    }

    @Test
    void itsNodesLoadClassesFromAnArchiveOnceThatIsMade() throws IOException, InterruptedException {
        Path home = unpack();
        assertThat(run(home.resolve("bin/robber-class-archive"))).contains("is used from now on");

        List<String> version = List.of(home.resolve("bin/robber-cli").toString(), "--version");
        Map<String, String> flags = Map.of("ROBBER_JAVA_FLAGS", "-Xlog:class+load");
        try (Launched launched = Launched.command(top, flags, version)) {
            assertThat(launched.exitCode()).as(launched.err()).isZero();
            assertThat(launched.out()).contains("org.robber.cli.log.LogProvider source: shared objects file");
        }
        Path jar = home.resolve("robber-cli.jar");
        Files.setLastModifiedTime(
                jar, FileTime.from(Files.getLastModifiedTime(jar).toInstant().plusSeconds(60)));
        try (Launched launched = Launched.command(top, Map.of(), version)) {
            assertThat(launched.exitCode()).as(launched.err()).isZero();
            assertThat(launched.err())
                    .as("Java goes without an archive of another build")
                    .isEmpty();
        }
    }

    /** Netty unpacks one that it does not find. */
    @Test
    void nativeLibrariesAreUsedWhereTheyLie() throws IOException, InterruptedException {
        Path home = unpack();
        Path source = Files.writeString(top.resolve("source"), "abc");
        Path log = top.resolve("libraries-%p.log");

        List<String> command = List.of(
                home.resolve("bin/robber-cli").toString(),
                "replicate",
                "--local=1x2",
                "--tls=on",
                source.toString(),
                top.resolve("copies").toString());
        Map<String, String> flags = Map.of("ROBBER_JAVA_FLAGS", "-Xlog:library=info:file=" + log);
        try (Launched launched = Launched.command(top, flags, command)) {
            assertThat(launched.exitCode()).as(launched.err()).isZero();
        }

        StringBuilder loaded = new StringBuilder();
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(top, "libraries-*.log")) {
            for (Path each : logs) {
                loaded.append(Files.readString(each));
            }
        }
        Path libraries = home.resolve("lib/native");
        assertThat(loaded)
                .contains("Loaded library " + libraries.resolve("libnetty_transport_native_epoll"))
                .contains("Loaded library " + libraries.resolve("libnetty_tcnative"));
    }

    /** Those of the archive, with the place of its program. */
    @Test
    void theUnitsOfSystemdAreValid() throws IOException, InterruptedException {
        assumeThat(Path.of("/usr/bin/systemd-analyze")).exists();
        Path home = unpack();
        for (String unit : List.of("robber.service", "robber.socket")) {
            String text = Files.readString(home.resolve("systemd").resolve(unit));
            Files.writeString(
                    top.resolve(unit), text.replace("/usr/bin/robber-cli", home.resolve("bin/robber-cli") + ""));
        }
        List<String> command = List.of("systemd-analyze", "--man=no", "verify", "./robber.service", "./robber.socket");
        try (Launched verify = Launched.command(top, Map.of(), command)) {
            assertThat(verify.exitCode()).as(verify.err()).isZero();
            assertThat(verify.err()).isEmpty();
        }
        run(
                Path.of("systemd-sysusers"),
                "--dry-run",
                home.resolve("systemd/sysusers/robber.conf").toString());
    }

    @Test
    void everyLibraryHasALicence() throws IOException, InterruptedException {
        Path home = unpack();
        String licences = Files.readString(home.resolve("THIRD-PARTY.md"));

        try (Stream<Path> libraries = Files.list(home.resolve("lib"))) {
            assertThat(libraries
                            .map(library -> library.getFileName().toString())
                            .filter(name -> name.endsWith(".jar"))
                            .map(name -> name.replaceFirst("-[0-9].*", ""))
                            .filter(name -> !name.startsWith("robber-") && !name.equals("emulation")))
                    .contains("guava")
                    .allSatisfy(name -> assertThat(licences).contains("`" + name + "`"));
        }
        assertThat(home.resolve("LICENSE")).exists();
        assertThat(home.resolve("NOTICE")).exists();
    }

    /** Bash reads the file that it finds by the name of the command. */
    @Test
    void bashCompletesOptionsValuesAndCommands() throws IOException, InterruptedException {
        Path home = unpack();

        assertThat(completions(home, "replicate", "--piece-s")).containsExactly("--piece-size");
        assertThat(completions(home, "replicate", "--cluster-by", "S")).containsExactly("SUBNET", "SWITCH");
        assertThat(completions(home, "replicate", "--progress", "p")).containsExactly("plain");
        assertThat(completions(home, "help", "com")).containsExactly("completion");
    }

    /** What bash offers for the last word. */
    private List<String> completions(Path home, String... words) throws IOException, InterruptedException {
        String script = """
            PATH=%s/bin:$PATH
            . %s/share/bash-completion/completions/robber-cli
            compopt() { :; }
            COMP_WORDS=(robber-cli "$@") COMP_CWORD=$#
            _complete_robber-cli
            printf '%%s\\n' "${COMPREPLY[@]}"
            """.formatted(home, home);
        List<String> command = new ArrayList<>(List.of("bash", "-c", script, "complete"));
        command.addAll(List.of(words));
        try (Launched bash = Launched.command(top, Map.of(), command)) {
            assertThat(bash.exitCode()).as(bash.err()).isZero();
            return bash.out().lines().toList();
        }
    }

    /** Pages are read where the program is. */
    @Test
    void linksOfItsPagesLeadToFilesOfTheArchive() throws IOException, InterruptedException {
        Path home = unpack();
        List<String> dead = new ArrayList<>();
        try (Stream<Path> files = Files.walk(home)) {
            for (Path page :
                    files.filter(file -> file.toString().endsWith(".md")).toList()) {
                for (String target : DocumentationTest.filesThatAreLinked(page)) {
                    if (!Files.exists(page.resolveSibling(target))) {
                        dead.add(home.relativize(page) + " -> " + target);
                    }
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    private Path unpack() throws IOException, InterruptedException {
        Path archive = TARGET.resolve("robber-" + VERSION + ".tar.gz");
        try (Launched tar = Launched.command(top, Map.of(), List.of("tar", "-xzf", archive.toString()))) {
            assertThat(tar.exitCode()).as(tar.err()).isZero();
        }
        try (Stream<Path> folders = Files.list(top)) {
            return folders.filter(Files::isDirectory).findFirst().orElseThrow();
        }
    }

    private String run(Path program, String... arguments) throws IOException, InterruptedException {
        List<String> command = Stream.concat(Stream.of(program.toString()), Stream.of(arguments))
                .toList();
        try (Launched launched = Launched.command(top, Map.of(), command)) {
            assertThat(launched.exitCode()).as(launched.err()).isZero();
            return launched.out();
        }
    }

    private void assertThatItCopies(Path program) throws IOException, InterruptedException {
        Path source = Files.write(top.resolve("source"), new byte[100_000]);
        Path destination = Files.createDirectory(top.resolve("destination"));
        run(program, "replicate", "--local=2x2", source.toString(), destination.toString());
        for (String node : List.of("A-0", "A-1", "B-0", "B-1")) {
            assertThat(destination.resolve(node).resolve("source")).hasSameBinaryContentAs(source);
        }
    }
}
