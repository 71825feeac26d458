package org.robber.emulation.simulator.network;

import java.util.ArrayList;
import java.util.List;
import org.robber.core.random.SeededRandom;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.simulator.agenda.Agenda;

/** One direction of a wide-area link. */
final class Link {
    private final Agenda agenda;
    private final NetworkOptions options;
    private final Stage stage;
    private final SeededRandom random;

    /** Acknowledged while nothing passes. */
    private final List<Segment> held = new ArrayList<>();

    private LinkSpec spec;
    private int partitions;

    /** @param random decides which packets are lost */
    Link(Agenda agenda, LinkSpec spec, NetworkOptions options, SeededRandom random) {
        this.agenda = agenda;
        this.options = options;
        this.random = random;
        this.spec = spec;
        this.stage = new Stage(agenda, spec.bytesPerSecond(), queueNanos(), options.leastQueueBytes());
    }

    /** At least a round trip. */
    private long queueNanos() {
        return Math.max(options.queueNanos(), 2 * spec.delayNanos());
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

    /** Whether any packet of so many bytes is lost. */
    boolean strikes(long wireBytes) {
        if (spec.loss() == 0) {
            return false;
        }
        long packets = (wireBytes + options.packetBytes() - 1) / options.packetBytes();
        return random.nextDouble() >= StrictMath.pow(1 - spec.loss(), (double) packets);
    }

    /** Carries the acknowledgements of a segment, one for two packets, as soon as anything passes. */
    void acknowledge(Segment segment, long nowNanos) {
        if (!passes()) {
            held.add(segment);
            return;
        }
        agenda.putForGood(segment, nowNanos + delayNanos() + stage.waitNanos());
        long packets = segment.wireBytes / options.packetBytes() + 1;
        stage.charge((packets + 1) / 2 * NetworkOptions.HEAD_BYTES);
    }

    void change(LinkSpec newSpec) {
        spec = newSpec;
        apply();
    }

    /** Nothing passes until it has been healed as often as it was broken. */
    void breakDown() {
        partitions++;
        apply();
    }

    /** Whether anything passes. */
    boolean passes() {
        return partitions == 0 && spec.bytesPerSecond() > 0;
    }

    void heal() {
        partitions--;
        apply();
    }

    private void apply() {
        stage.setRate(partitions > 0 ? 0 : spec.bytesPerSecond(), queueNanos());
        if (passes()) {
            held.forEach(segment -> acknowledge(segment, agenda.nowNanos()));
            held.clear();
        }
    }
}
