package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** The distribution as its next version could be: the same sources, compiled with the next number of the protocol. */
final class NextVersion {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final String VERSION = System.getProperty("robber.version");

    private NextVersion() {}

    /** Unpacks the distribution of this version; returns its program. */
    static Path unpackThis(Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        String archive =
                Path.of("target/robber-" + VERSION + ".tar.gz").toAbsolutePath().toString();
        Process tar = new ProcessBuilder("tar", "-xzf", archive, "-C", folder.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(tar.waitFor()).as(said).isZero();
        return folder.resolve("robber-" + VERSION).resolve("bin/robber-cli");
    }

    /** Makes the next version of it in a folder; returns its program. */
    static Path make(Path folder) throws IOException, InterruptedException {
        Path program = unpackThis(folder);
        Path libraries = program.getParent().resolveSibling("lib");
        Path sources = Files.createDirectories(folder.resolve("sources"));
        Path classes = Files.createDirectories(folder.resolve("classes"));
        String greeting = source("robber-core", "org/robber/core/protocol/Greeting.java");
        String next = greeting.replaceFirst("(int PROTOCOL_VERSION = )(\\d+);", "$1$2 + 1;");
        assertThat(next).isNotEqualTo(greeting);
        List<String> arguments = new ArrayList<>(
                List.of("-nowarn", "-proc:none", "--release", "17", "-d", classes.toString(), "-cp", jars(libraries)));
        arguments.add(Files.writeString(sources.resolve("Greeting.java"), next).toString());
        // these have the number compiled into them
        arguments.add(ROOT.resolve("robber-core/src/main/java/org/robber/core/wire/GreetingCodec.java")
                .toString());
        arguments.add(ROOT.resolve("robber-transport/src/main/java/org/robber/transport/security/GreetingHandler.java")
                .toString());
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
        replace(jar(libraries, "robber-core"), classes, "org/robber/core");
        replace(jar(libraries, "robber-transport"), classes, "org/robber/transport");
        return program;
    }

    private static String source(String module, String name) throws IOException {
        return Files.readString(ROOT.resolve(module).resolve("src/main/java").resolve(name));
    }

    private static String jars(Path libraries) throws IOException {
        try (Stream<Path> files = Files.list(libraries)) {
            return files.map(Path::toString)
                    .filter(name -> name.endsWith(".jar"))
                    .collect(Collectors.joining(":"));
        }
    }

    private static Path jar(Path libraries, String module) throws IOException {
        try (Stream<Path> files = Files.list(libraries)) {
            return files.filter(file -> file.getFileName().toString().startsWith(module + "-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void replace(Path jar, Path classes, String folder) throws IOException {
        try (FileSystem archive = FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of());
                Stream<Path> files = Files.walk(classes.resolve(folder))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path entry = archive.getPath(classes.relativize(file).toString());
                assertThat(entry).exists();
                Files.copy(file, entry, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }
}
