package org.robber.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.robber.cli.doctor.Diagnosis;
import org.robber.cli.doctor.Diagnosis.Transfer;
import org.robber.cli.doctor.DiagnosisText;
import org.robber.cli.doctor.Line;
import org.robber.cli.option.CountText;
import org.robber.cli.option.DisplayOptions;
import org.robber.cli.option.DurationText;
import org.robber.cli.option.MemoryOption;
import org.robber.cli.option.RateText;
import org.robber.cli.option.SizeText;
import org.robber.cli.report.OutputFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code robber-cli doctor}. */
@Command(
        name = "doctor",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        description = "Finds what on this machine holds transfers back, what that costs, and what to do about it.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  robber-cli doctor --bandwidth=10Gbit --rtt=80ms",
            "  robber-cli doctor --data-size=400G --files=120000 /scratch",
            "%nExit codes:",
            "  0 nothing found; 2 usage; 9 something holds transfers back"
        })
final class DoctorCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "DEST",
            description =
                    "A destination on this machine. Its disk is tried: up to 256 MiB are written for a second, and"
                            + " removed.")
    private @Nullable Path destination;

    @Option(
            names = "--bandwidth",
            paramLabel = "RATE",
            defaultValue = "1Gbit",
            converter = RateText.class,
            description = "Bandwidth of the fastest line: 500Mbit (bits) or 60M (bytes) per second. Default:"
                    + " ${DEFAULT-VALUE}.")
    private long bytesPerSecond;

    @Option(
            names = "--rtt",
            paramLabel = "TIME",
            defaultValue = "20ms",
            converter = DurationText.class,
            description = "Round-trip time of the longest line, as ping shows it. Default: ${DEFAULT-VALUE}.")
    private Duration roundTrip = Duration.ZERO;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "64",
            converter = CountText.class,
            description = "Nodes of a job. Default: ${DEFAULT-VALUE}.")
    private int nodes;

    @Mixin
    private MemoryOption memory = new MemoryOption();

    @Option(
            names = "--data-size",
            paramLabel = "SIZE",
            converter = SizeText.class,
            description = "Size of the data that DEST has to take. Default: any.")
    private @Nullable Long dataBytes;

    @Option(
            names = "--files",
            paramLabel = "N",
            converter = CountText.OfFiles.class,
            description = "Number of the files that DEST has to take. Default: any.")
    private @Nullable Integer files;

    @Option(
            names = {"-o", DisplayOptions.OUTPUT},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "Print the result as text or json. Default: ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TEXT;

    @Override
    public Integer call() {
        Path place = destination;
        boolean ofData = spec.commandLine().getParseResult().hasMatchedOption("--data-size")
                || spec.commandLine().getParseResult().hasMatchedOption("--files");
        if (place == null && ofData) {
            throw new ParameterException(spec.commandLine(), "--data-size and --files need a DEST");
        }
        Diagnosis diagnosis = Diagnosis.ofThisMachine(new Transfer(
                new Line(bytesPerSecond, roundTrip),
                nodes,
                memory.bytes(),
                place,
                dataBytes == null ? 0 : dataBytes,
                files == null ? 0 : files));
        PrintWriter out = spec.commandLine().getOut();
        if (output == OutputFormat.JSON) {
            out.println(DiagnosisText.json(diagnosis));
        } else {
            DiagnosisText.lines(diagnosis).forEach(out::println);
        }
        out.flush();
        return diagnosis.exitCode();
    }
}
