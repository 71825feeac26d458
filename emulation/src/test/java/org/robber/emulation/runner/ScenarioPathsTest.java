package org.robber.emulation.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScenarioPathsTest {

    @TempDir
    Path folder;

    @Test
    void foldersAndWildcardsMeanTheirFilesInOrder() throws IOException {
        Path b = file("b_2.json");
        Path a = file("a_1.json");
        Path c = file("c[1].json");
        Path comma = file("d,e.json");
        file("notes.txt");

        assertThat(ScenarioPaths.find(List.of(folder.toString()))).containsExactly(a, b, c, comma);
        assertThat(ScenarioPaths.find(List.of(folder + "/?_*.json," + c))).containsExactly(a, b, c);
        assertThat(ScenarioPaths.find(List.of(b.toString(), comma.toString()))).containsExactly(b, comma);
        assertThatThrownBy(() -> ScenarioPaths.find(List.of(folder + "/x*.json")))
                .isInstanceOf(ExperimentException.class)
                .hasMessageContaining("x*.json: there is no such file");
    }

    private Path file(String name) throws IOException {
        return Files.writeString(folder.resolve(name), "{}");
    }
}
