package org.robber.bench.loopback;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A way to bring the data to the receivers, by a program and to a place. */
enum Contender {
    PLAIN_DISCARD(Program.PLAIN, Place.DISCARD),
    ROBBER_BUFFER(Program.ROBBER, Place.BUFFER),
    PLAIN_BUFFER(Program.PLAIN, Place.BUFFER),
    ROBBER_FILE(Program.ROBBER, Place.FILE),
    PLAIN_FILE(Program.PLAIN, Place.FILE),
    ROBBER_TLS_BUFFER(Program.ROBBER_TLS, Place.BUFFER),
    ROBBER_TLS_FILE(Program.ROBBER_TLS, Place.FILE);

    private enum Program {
        PLAIN,
        ROBBER,
        ROBBER_TLS
    }

    private final Program program;
    private final Place place;

    Contender(Program program, Place place) {
        this.program = program;
        this.place = place;
    }

    /** Whether Robber moves the bytes; otherwise it is a plain copy. */
    boolean isRobber() {
        return program != Program.PLAIN;
    }

    /** Whether Robber's connections are encrypted. */
    boolean isEncrypted() {
        return program == Program.ROBBER_TLS;
    }

    /** The place where the receivers put the bytes. */
    Place place() {
        return place;
    }

    /** The name on the command line and in reports, such as {@code robber-file}. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
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
