package org.robber.bench.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class OptionsTest {

    @Test
    void measuresWhatTheGoalsAreAboutIfNothingIsAskedFor() {
        LoopbackOptions options = LoopbackOptions.parse();
        assertThat(options.cases())
                .extracting(LoopbackCase::toString)
                .containsExactly("1:1G", "4:1G", "8:1G", "7:256M", "15:256M");
        assertThat(options.contenders())
                .containsExactly(
                        Contender.PLAIN_DISCARD,
                        Contender.ROBBER_BUFFER,
                        Contender.PLAIN_BUFFER,
                        Contender.ROBBER_FILE,
                        Contender.PLAIN_FILE);
        assertThat(options.json()).isNull();
        assertThat(options.classArchive()).isTrue();
    }

    @Test
    void readsEveryOption() {
        LoopbackOptions options = LoopbackOptions.parse(
                "--cases=3:4M",
                "--contenders=plain-file,robber-file",
                "--runs=2",
                "--clusters=1",
                "--strategy=mob",
                "--piece-size=64K",
                "--digest=sha256",
                "--window=9",
                "--jvm-flags=-Xmx64m  -Xint",
                "--class-archive=off",
                "--shared-memory=on",
                "--directory=/somewhere",
                "--timeout=7",
                "--json=out.json");
        assertThat(options.cases()).containsExactly(new LoopbackCase(3, 4 << 20));
        assertThat(options.contenders()).containsExactly(Contender.PLAIN_FILE, Contender.ROBBER_FILE);
        assertThat(options.channel().strategy()).isEqualTo("mob");
        assertThat(options.channel().pieceBytes()).isEqualTo(64 << 10);
        assertThat(options.channel().digest()).isEqualTo("sha256");
        assertThat(options.channel().requestWindow()).isEqualTo(9);
        assertThat(options.channel().sharesMemory()).isTrue();
        assertThat(options.jvmFlags()).containsExactly("-Xmx64m", "-Xint");
        assertThat(options.classArchive()).isFalse();
        assertThat(options.directory()).hasToString("/somewhere");
        assertThat(options.timeout()).hasSeconds(7);
        assertThat(options.json()).hasToString("out.json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--cases=",
                "--cases=1",
                "--cases=0:1M",
                "--cases=1:0",
                "--cases=1:1T",
                "--cases=1:4G",
                "--contenders=rsync",
                "--runs=0",
                "--runs=-1",
                "--runs=many",
                "--clusters=0",
                "--timeout=0",
                "--class-archive=maybe",
                "--strategy=foo",
                "--json=/nowhere/figures.json",
                "--json=/tmp",
                "--unknown=1",
                "cases",
                "--runs"
            })
    void refusesWhatItDoesNotUnderstand(String argument) {
        assertThatThrownBy(() -> LoopbackOptions.parse(argument))
                .isInstanceOfAny(IllegalArgumentException.class, CommandLine.ParameterException.class);
    }

    @Test
    void refusesAnOptionGivenTwice() {
        assertThatThrownBy(() -> LoopbackOptions.parse("--runs=1", "--runs=2"))
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessageContaining("--runs");
    }

    @Test
    void takesDataBeyondABufferIfNobodyKeepsItInOne() {
        assertThat(LoopbackOptions.parse("--cases=1:4G", "--contenders=plain-file,robber-file")
                        .cases())
                .containsExactly(new LoopbackCase(1, 4L << 30));
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1000,1000", "1K,1024", "3m,3145728", "2G,2147483648"})
    void readsSizesInPowersOfTwo(String text, long bytes) {
        assertThat(DataSize.parse(text)).isEqualTo(bytes);
        assertThat(DataSize.parse(DataSize.format(bytes))).isEqualTo(bytes);
    }

    @Test
    void refusesSizesThatNoNumberHolds() {
        assertThatThrownBy(() -> DataSize.parse("999999999999G"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("too large: 999999999999G");
    }

    @Test
    void figuresMayGoToAnOpenFile() {
        assertThat(LoopbackOptions.parse("--json=/dev/null").json()).hasToString("/dev/null");
        assertThat(LoopbackOptions.parse("--json=/proc/self/fd/1").json()).hasToString("/proc/self/fd/1");
    }
}
