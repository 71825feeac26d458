package org.robber.emulation.report;

import com.google.common.collect.ImmutableMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.function.Function;
import org.robber.emulation.experiment.Findings;

/**
 * The folder that a report goes to. Its files, {@code report.html}, {@code results.json}, {@code results.csv} and
 * {@code summary.csv}, appear as a whole or not at all; other files stay.
 */
public final class ReportFolder {

    private static final String RESULTS = "results.json";

    private static final ImmutableMap<String, Function<Findings, String>> FILES = ImmutableMap.of(
            "report.html",
            HtmlReport::text,
            RESULTS,
            JsonResults::text,
            "results.csv",
            CsvResults::text,
            "summary.csv",
            CsvSummaries::text);

    private final Path folder;

    private ReportFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Makes the folder if there is none, and checks before any run that it is writable.
     *
     * @throws IOException if a report cannot be written there, saying why
     */
    public static ReportFolder prepare(Path folder) throws IOException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new IOException(folder + " is no folder");
        }
        Files.createDirectories(folder);
        for (String name : FILES.keySet()) {
            if (Files.isDirectory(folder.resolve(name))) {
                throw new IOException(folder.resolve(name) + " is a folder");
            }
        }
        ReportFolder report = new ReportFolder(folder.toRealPath());
        Path trial = report.temporary("trial");
        Files.writeString(trial, "");
        Files.delete(trial);
        return report;
    }

    /** Whether a report was written here before. */
    public boolean holdsReport() {
        return Files.exists(folder.resolve(RESULTS));
    }

    /** A file of this name in the folder. */
    public Path file(String name) {
        return folder.resolve(name);
    }

    /**
     * Replaces the report by this one.
     *
     * @throws IOException if a file cannot be written; the earlier file is kept
     */
    public void write(Findings findings) throws IOException {
        for (Map.Entry<String, Function<Findings, String>> file : FILES.entrySet()) {
            Path temporary = temporary(file.getKey());
            try {
                Files.writeString(temporary, file.getValue().apply(findings), StandardCharsets.UTF_8);
                Files.move(
                        temporary,
                        folder.resolve(file.getKey()),
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(temporary);
            }
        }
    }

    /** A temporary name beside the file, unique to this process. */
    private Path temporary(String name) {
        return folder.resolve("." + name + "-" + ProcessHandle.current().pid() + ".tmp");
    }
}
