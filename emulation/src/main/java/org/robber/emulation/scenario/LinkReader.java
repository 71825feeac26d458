package org.robber.emulation.scenario;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import java.util.SortedMap;
import java.util.TreeMap;
import org.robber.emulation.json.JsonPlace;

/** Reads the links between the clusters of a scenario file, and how they change. */
final class LinkReader {
    private static final ImmutableSortedSet<String> LINK_KEYS = ImmutableSortedSet.of("mbps", "delay_ms", "loss");
    private static final ImmutableSortedSet<String> PHASE_KEYS = ImmutableSortedSet.of("at", "links");
    private static final LinkSpec UNLIMITED = new LinkSpec(Double.POSITIVE_INFINITY, 0, 0);
    private static final String LINKS = "an object with a link for each ordered pair, such as \"A-B\"";

    /** The bound looks at each of them: up to a minute for so many. */
    private static final int MOST_PHASES = 20_000;

    /** Each phase holds all links, and the bound some hundred bytes for each of them. */
    private static final int MOST_STATES = 1_000_000;

    private final ImmutableList<ClusterSpec> clusters;
    private final ImmutableMap<String, Integer> indexes;

    LinkReader(ImmutableList<ClusterSpec> clusters) {
        this.clusters = clusters;
        ImmutableMap.Builder<String, Integer> builder = ImmutableMap.builder();
        for (int i = 0; i < clusters.size(); i++) {
            builder.put(clusters.get(i).name(), i);
        }
        this.indexes = builder.buildOrThrow();
    }

    /** The links as they are at the beginning, and after each change. */
    ImmutableList<Phase> phases(JsonPlace links, JsonPlace changes) {
        SortedMap<ClusterPair, LinkSpec> state = new TreeMap<>();
        if (!links.isAbsent()) {
            for (String key : links.keys(LINKS)) {
                state.put(pair(links.field(key), key), link(links.field(key), UNLIMITED));
            }
        }
        ImmutableList.Builder<Phase> phases = ImmutableList.builder();
        Phase phase = new Phase(0, ImmutableSortedMap.copyOfSorted(state));
        phases.add(phase);
        if (!changes.isAbsent()) {
            ImmutableList<JsonPlace> items = changes.items("a list of phases");
            long most = Math.min(MOST_PHASES, MOST_STATES / Math.max(1, state.size()));
            if (items.size() > most) {
                throw changes.fault("at most " + most + " phases for " + state.size() + " links");
            }
            for (JsonPlace change : items) {
                phase = phase(change, phase);
                phases.add(phase);
            }
        }
        return phases.build();
    }

    private Phase phase(JsonPlace place, Phase before) {
        place.allowOnly("an object with the keys at and links", PHASE_KEYS);
        JsonPlace at = place.field("at");
        String expected = "seconds after the start, more than "
                + Units.seconds(before.atNanos()).toPlainString()
                + " and at most 1e9: phases are in order of time, and the state at the start is in $.links";
        long atNanos = Units.nanosOfSeconds(at.number(expected, 0, Units.MOST_SECONDS));
        if (atNanos <= before.atNanos()) {
            throw at.fault(expected);
        }
        SortedMap<ClusterPair, LinkSpec> state = new TreeMap<>(before.links());
        JsonPlace links = place.field("links");
        for (String key : links.keys("an object with the links that change")) {
            ClusterPair pair = pair(links.field(key), key);
            LinkSpec link = state.get(pair);
            if (link == null) {
                throw links.field(key).problem("unknown link; expected one of those in $.links");
            }
            state.put(pair, link(links.field(key), link));
        }
        return new Phase(atNanos, ImmutableSortedMap.copyOfSorted(state));
    }

    private ClusterPair pair(JsonPlace place, String key) {
        int dash = key.indexOf('-');
        Integer from = dash < 0 ? null : indexes.get(key.substring(0, dash));
        Integer to = dash < 0 ? null : indexes.get(key.substring(dash + 1));
        if (from == null || to == null || from.equals(to)) {
            throw place.problem("expected two different clusters as in \"A-B\", of " + ClusterReader.names(clusters));
        }
        return new ClusterPair(from, to);
    }

    private static LinkSpec link(JsonPlace place, LinkSpec before) {
        place.allowOnly("an object with " + String.join(", ", LINK_KEYS), LINK_KEYS);
        return new LinkSpec(
                place.has("mbps") ? Units.rate(place.field("mbps")) : before.bytesPerSecond(),
                place.has("delay_ms") ? Units.delayNanos(place.field("delay_ms")) : before.delayNanos(),
                place.has("loss") ? Units.loss(place.field("loss")) : before.loss());
    }
}
