package org.robber.emulation.scenario;

import com.google.common.base.Ascii;

/** Where the numbers of a scenario come from. */
public enum Origin {
    /** Parameters from a publication. */
    SOURCE,
    /** Ours, made to show the effect that a publication shows. */
    RECONSTRUCTION,
    /** Drawn by a generator from a seed. */
    GENERATED,
    /** Measured in a network. */
    MEASURED;

    /** Its name in scenario files. */
    String word() {
        return Ascii.toLowerCase(name());
    }
}
