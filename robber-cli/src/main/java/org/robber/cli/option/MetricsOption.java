package org.robber.cli.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.robber.cli.metrics.MetricsPlace;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Where the metrics of a job are found. */
public final class MetricsOption extends CheckedOptions {

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

    /** As {@link ReportOption#checkNotOpen}. */
    public void checkNotOpen() {
        Path file = place == null || place.isPort() ? null : place.file();
        ReportOption.checkNotOpen(this, "--metrics", file, "use a file with a name");
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
