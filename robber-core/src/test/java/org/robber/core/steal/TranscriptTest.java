package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the transcripts in {@code src/test/resources/transcripts}. A transcript is a text to be read and reviewed: lines
 * that begin with {@code >} are commands to a {@link Transcript}, those that begin with {@code #} are comments, and all
 * others are the complete output of the command before them.
 *
 * <p>To write the output anew after a wanted change: {@code mvn -pl robber-core test -Dtest=TranscriptTest
 * -Drobber.rewrite=true}. Then read the difference.
 */
class TranscriptTest {
    private static final Path FOLDER = Path.of("src/test/resources/transcripts");

    static List<String> transcripts() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("transcripts")
    void nodesDoExactlyThis(String name) throws IOException {
        Path file = FOLDER.resolve(name);
        String written = Files.readString(file);
        String played = play(written);
        if (Boolean.getBoolean("robber.rewrite")) {
            Files.writeString(file, played);
        } else {
            assertThat(played).isEqualTo(written);
        }
    }

    private static String play(String written) {
        Transcript transcript = new Transcript();
        StringBuilder played = new StringBuilder();
        for (String line : written.lines().toList()) {
            if (line.startsWith(">")) {
                played.append(line)
                        .append('\n')
                        .append(transcript.run(line.substring(1).strip()));
            } else if (line.startsWith("#")) {
                played.append(
                                played.isEmpty() || played.toString().endsWith("#\n") || lastIsComment(played)
                                        ? ""
                                        : "\n")
                        .append(line)
                        .append('\n');
            }
        }
        return played.toString();
    }

    private static boolean lastIsComment(StringBuilder played) {
        return played.charAt(played.lastIndexOf("\n", played.length() - 2) + 1) == '#';
    }
}
