package org.robber.emulation.scenario;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.robber.emulation.json.JsonException;
import org.robber.emulation.json.JsonFile;
import org.robber.emulation.json.JsonPlace;
import org.robber.emulation.json.JsonTree;

/**
 * Reads scenario files. Every fault is a {@link ScenarioException} that names the place and the expected value: a misspelt key must
 * not change an experiment silently.
 */
public final class ScenarioReader {
    private static final ImmutableSortedSet<String> KEYS =
            ImmutableSortedSet.of("name", "description", "origin", "root", "clusters", "links", "phases");
    private static final Pattern NAME = Pattern.compile("[^./\\\\\\s\\p{Cntrl}][^/\\\\\\p{Cntrl}]*");

    private ScenarioReader() {}

    /**
     * Reads a file.
     *
     * @throws ScenarioException if it cannot be read, has more than {@link JsonFile#MOST_BYTES}, or breaks a rule of the format
     */
    public static Scenario read(Path file) {
        try {
            return parse(file.toString(), JsonFile.read(file));
        } catch (JsonException e) {
            throw new ScenarioException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Reads JSON from memory.
     *
     * @param fileName its name in messages
     * @throws ScenarioException if it breaks a rule of the format
     */
    public static Scenario parse(String fileName, String json) {
        try {
            return scenario(JsonTree.parse(fileName, json));
        } catch (JsonException e) {
            throw new ScenarioException(String.valueOf(e.getMessage()), e);
        }
    }

    private static Scenario scenario(JsonPlace file) {
        file.allowOnly("an object that describes a scenario", KEYS);
        String name = name(file.field("name"));
        ImmutableList<ClusterSpec> clusters = ClusterReader.clusters(file.field("clusters"));
        LinkReader network = new LinkReader(clusters);
        return new Scenario(
                name,
                file.field("description").isAbsent()
                        ? ""
                        : file.field("description").text("a text"),
                origin(file.field("origin")),
                root(file.field("root"), clusters),
                clusters,
                network.phases(file.field("links"), file.field("phases")));
    }

    private static String name(JsonPlace place) {
        String expected = "a name that can be part of a file name: no slashes, no dot or space at its beginning";
        String name = place.text(expected);
        if (!NAME.matcher(name).matches()) {
            throw place.fault(expected);
        }
        return name;
    }

    /** Text after a comma is a remark for people. */
    private static Origin origin(JsonPlace place) {
        String expected = "source, reconstruction, generated or measured, and after a comma any remark";
        if (place.isAbsent()) {
            return Origin.RECONSTRUCTION;
        }
        String text = place.text(expected);
        int comma = text.indexOf(',');
        String word = comma < 0 ? text : text.substring(0, comma);
        for (Origin origin : Origin.values()) {
            if (origin.word().equals(word)) {
                return origin;
            }
        }
        throw place.fault(expected);
    }

    private static NodePlace root(JsonPlace place, ImmutableList<ClusterSpec> clusters) {
        String text = place.text("the sending node as cluster/index, such as \"A/0\"");
        int slash = text.indexOf('/');
        for (int i = 0; i < clusters.size(); i++) {
            ClusterSpec cluster = clusters.get(i);
            if (text.substring(0, Math.max(slash, 0)).equals(cluster.name())) {
                return new NodePlace(i, index(place, text.substring(slash + 1), cluster));
            }
        }
        throw place.fault("the sending node as cluster/index, the cluster one of " + ClusterReader.names(clusters));
    }

    private static int index(JsonPlace place, String digits, ClusterSpec cluster) {
        if (digits.matches("0|[1-9][0-9]{0,8}")) {
            int index = Integer.parseInt(digits);
            if (index < cluster.nodes()) {
                return index;
            }
        }
        throw place.fault(cluster.name() + "/ and the index of a node, 0 to " + (cluster.nodes() - 1));
    }
}
