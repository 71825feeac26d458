package org.robber.cli.option;

import org.jspecify.annotations.Nullable;
import org.robber.cli.metrics.MetricsPlace;
import org.robber.cli.report.ReportFile;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Where the metrics of a job are found. */
public final class MetricsOption {

    @Option(
            names = "--metrics",
            paramLabel = "FILE|[ADDRESS:]PORT",
            converter = PlaceText.class,
            description =
                    "At rank 0, show metrics of the job for Prometheus: write them to a file each second, or answer"
                            + " HTTP requests at a port.")
    private @Nullable MetricsPlace place;

    /** The place, or null for none. */
    public @Nullable MetricsPlace place() {
        return place;
    }

    /** Refuses the output of this process where rank 0 is another one, whose output comes here for other purposes. */
    public void checkNotOutput() {
        if (place != null && !place.isPort() && ReportFile.isOutput(place.file())) {
            throw new IllegalArgumentException(
                    "--metrics=" + place.text() + " is not the output of this command with --local or -w: use a file");
        }
    }

    /** A place as text. */
    static final class PlaceText implements ITypeConverter<MetricsPlace> {
        @Override
        public MetricsPlace convert(String text) {
            try {
                return new MetricsPlace(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }
}
