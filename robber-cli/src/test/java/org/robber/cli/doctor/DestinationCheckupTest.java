package org.robber.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.cli.Trees;
import org.robber.cli.doctor.DestinationCheckup.Disk;
import org.robber.cli.doctor.Finding.Verdict;

/** What the doctor says of disks, real ones and others. */
class DestinationCheckupTest {

    private static final Path PLACE = Path.of("/scratch");
    private static final long GIB = 1L << 30;

    @TempDir
    Path folder;

    @Test
    void disksThatAreLargeAndFastAreGood() {
        assertThat(verdicts(new Disk("", GIB, 1000, 256 << 20, 1), GIB, 999))
                .containsExactly(Verdict.GOOD, Verdict.GOOD, Verdict.GOOD);
    }

    @Test
    void whatIsShortIsNamedWithBothNumbers() {
        List<Finding> findings = new DestinationCheckup(Machine.line(1000, 1), 2 * GIB, 2000)
                .findings(PLACE, place -> new Disk("", GIB, 1000, 100_000_000, 1));
        assertThat(findings).allSatisfy(finding -> assertThat(finding.verdict()).isEqualTo(Verdict.HOLDS_BACK));
        assertThat(findings.get(0).found()).isEqualTo("1.0 GiB are free in /scratch");
        assertThat(findings.get(0).cost()).isEqualTo("the data need 2.0 GiB");
        assertThat(findings.get(1).found()).isEqualTo("1000 more files fit into /scratch");
        assertThat(findings.get(1).cost()).isEqualTo("the data have 2000 files");
        assertThat(findings.get(2).found()).endsWith("at 800 Mbit/s");
        assertThat(findings.get(2).cost()).startsWith("the line has 1 Gbit/s");
    }

    @Test
    void fullDisksAreNamedWhateverComes() {
        assertThat(verdicts(new Disk("", 0, 0, 0, 0), 0, 0))
                .containsExactly(Verdict.HOLDS_BACK, Verdict.HOLDS_BACK, Verdict.UNKNOWN);
    }

    @Test
    void aFileSystemThatDoesNotTellItsSizeIsNotFull() {
        assertThat(verdicts(new Disk("", Long.MAX_VALUE, 1000, 256 << 20, 1), GIB, 1))
                .containsExactly(Verdict.UNKNOWN, Verdict.GOOD, Verdict.GOOD);
    }

    @Test
    void aRealFolderIsTriedAndLeftAsItWas() throws IOException {
        Disk disk = new TrialWrite().look(folder);
        assertThat(disk.problem()).isEmpty();
        assertThat(disk.freeBytes()).isPositive();
        assertThat(disk.bytesWritten()).isBetween(1L << 20, 256L << 20);
        assertThat(disk.secondsWritten()).isPositive();
        assertThat(Trees.names(folder)).isEmpty();
        // replicate makes the last folder of DEST
        assertThat(new TrialWrite().look(folder.resolve("new")).problem()).isEmpty();
        assertThat(Trees.names(folder)).isEmpty();
    }

    @Test
    void placesThatCannotBeWrittenAreNamed() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(new TrialWrite().look(file).problem()).isEqualTo(file + " is not a folder");
        assertThat(new TrialWrite().look(folder.resolve("no/such")).problem())
                .isEqualTo(folder.resolve("no") + " does not exist");
        assertThat(new TrialWrite().look(Path.of("/proc")).problem()).startsWith("nothing can be written to /proc");
    }

    private static List<Verdict> verdicts(Disk disk, long bytes, long files) {
        return new DestinationCheckup(Machine.line(1000, 1), bytes, files)
                .findings(PLACE, place -> disk).stream().map(Finding::verdict).toList();
    }
}
