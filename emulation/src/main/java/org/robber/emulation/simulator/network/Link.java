package org.robber.emulation.simulator.network;

import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.simulator.agenda.Agenda;

/** One direction of a wide-area link. */
final class Link {
    private final Stage stage;
    private LinkSpec spec;

    Link(Agenda agenda, LinkSpec spec, long queueNanos) {
        this.spec = spec;
        this.stage = new Stage(agenda, spec.bytesPerSecond(), queueNanos);
    }

    Stage stage() {
        return stage;
    }

    long delayNanos() {
        return spec.delayNanos();
    }

    double loss() {
        return spec.loss();
    }

    void change(LinkSpec newSpec) {
        spec = newSpec;
        stage.setRate(newSpec.bytesPerSecond());
    }
}
