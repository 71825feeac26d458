package org.robber.emulation.simulator.network;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.core.random.SeededRandom;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.simulator.agenda.Agenda;
import org.robber.emulation.simulator.agenda.ScheduledEvent;

/** The links between clusters, one for each direction. They change with the phases of the scenario. */
public final class WideAreaLinks {
    private final Map<ClusterPair, Link> links = new TreeMap<>();
    private final List<Consumer<ClusterPair>> watchers = new ArrayList<>();

    WideAreaLinks(List<Phase> phases, Agenda agenda, NetworkOptions options, SeededRandom random) {
        phases.get(0).links().forEach((pair, spec) -> links.put(pair, new Link(agenda, spec, options, random)));
        for (Phase phase : phases) {
            if (phase.atNanos() > 0) {
                agenda.put(new PhaseBegin(phase), phase.atNanos());
            }
        }
    }

    private final class PhaseBegin extends ScheduledEvent {
        private final Phase phase;

        PhaseBegin(Phase phase) {
            this.phase = phase;
        }

        @Override
        protected void happen(long nowNanos) {
            for (Map.Entry<ClusterPair, LinkSpec> entry : phase.links().entrySet()) {
                change(entry.getKey(), link -> link.change(entry.getValue()));
            }
        }
    }

    /** Without a link nothing happens. */
    private void change(ClusterPair pair, Consumer<Link> change) {
        Link link = get(pair);
        if (link != null) {
            boolean passed = link.passes();
            change.accept(link);
            if (link.passes() != passed) {
                watchers.forEach(watcher -> watcher.accept(pair));
            }
        }
    }

    /** From now on, this hears of each link that stops to pass anything, or begins to. */
    public void watch(Consumer<ClusterPair> watcher) {
        watchers.add(watcher);
    }

    /** The link in this direction, or null. */
    @Nullable
    Link get(ClusterPair pair) {
        return links.get(pair);
    }

    /** Stops all traffic in this direction until {@link #heal} was called as often. Without a link nothing happens. */
    public void breakDown(ClusterPair pair) {
        change(pair, Link::breakDown);
    }

    /** Ends one {@link #breakDown}. */
    public void heal(ClusterPair pair) {
        change(pair, Link::heal);
    }

    /** Whether there is a link, and it passes anything. */
    public boolean passes(ClusterPair pair) {
        Link link = get(pair);
        return link != null && link.passes();
    }

    /** The bytes that have entered each link so far. */
    public ImmutableSortedMap<ClusterPair, Long> crossedBytes() {
        ImmutableSortedMap.Builder<ClusterPair, Long> crossed = ImmutableSortedMap.naturalOrder();
        links.forEach((pair, link) -> crossed.put(pair, link.stage().passedBytes()));
        return crossed.buildOrThrow();
    }

    /** The same as an array, in the order of {@link #pairs}. */
    public long[] crossedByIndex() {
        return links.values().stream()
                .mapToLong(link -> link.stage().passedBytes())
                .toArray();
    }

    /** The ordered pairs of clusters that have links. */
    public ImmutableList<ClusterPair> pairs() {
        return ImmutableList.copyOf(links.keySet());
    }
}
