package org.robber.bench.loopback;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A way to bring the data to the receivers, by a program and to a place. */
enum Contender {
    PLAIN_DISCARD(false, Place.DISCARD),
    ROBBER_BUFFER(true, Place.BUFFER),
    PLAIN_BUFFER(false, Place.BUFFER),
    ROBBER_FILE(true, Place.FILE),
    PLAIN_FILE(false, Place.FILE);

    private final boolean robber;
    private final Place place;

    Contender(boolean robber, Place place) {
        this.robber = robber;
        this.place = place;
    }

    /** Whether Robber moves the bytes; otherwise it is a plain copy. */
    boolean isRobber() {
        return robber;
    }

    /** What the receivers do with the bytes. */
    Place place() {
        return place;
    }

    /** The name on the command line and in reports, such as {@code robber-file}. */
    String label() {
        return (robber ? "robber-" : "plain-") + place.name().toLowerCase(Locale.ROOT);
    }

    /** The contender of this name. */
    static Contender labelled(String label) {
        return Arrays.stream(values())
                .filter(contender -> contender.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no contender '" + label + "': choose among "
                        + Arrays.stream(values()).map(Contender::label).collect(Collectors.joining(", "))));
    }
}
