package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links of all pages lead somewhere, and tests, classes and methods that pages name exist. {@code .ci/docs} runs the commands of the pages. */
class DocumentationTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern CODE_BLOCK = Pattern.compile("^```.*?^```", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);
    private static final Pattern DECLARATION = Pattern.compile("\\b(?:class|record|interface|enum)\\s+(\\w+)");
    private static final Pattern NAMED_CLASS =
            Pattern.compile("`([A-Z][a-z]+(?:[A-Z][a-z0-9]*)*)(?:\\.([a-z]\\w*))?[`(]");
    private static final Pattern NAMED_TEST = Pattern.compile("`([A-Z]\\w*[a-z](?:Test|IT))(?:[.#](\\w+))?`");

    @Test
    void linksLeadToPagesAndHeadings() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path page : pages()) {
            Matcher links = LINK.matcher(withoutCode(page));
            while (links.find()) {
                String target = links.group(1);
                if (!target.matches("[a-z]+:.*") && !resolves(page, target)) {
                    dead.add(ROOT.relativize(page) + " -> " + target);
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void testsThatPagesNameExist() throws IOException {
        List<String> missing = new ArrayList<>();
        for (Path page : pages()) {
            // Lab notes and decisions tell of their day.
            if (page.startsWith(ROOT.resolve("docs/lab")) || page.startsWith(ROOT.resolve("docs/decisions"))) {
                continue;
            }
            Matcher names = NAMED_TEST.matcher(withoutCode(page));
            while (names.find()) {
                if (!testExists(names.group(1), names.group(2))) {
                    missing.add(ROOT.relativize(page) + " -> " + names.group());
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void classesAndMethodsThatPagesNameExist() throws IOException {
        Map<String, String> declared = new HashMap<>();
        for (String tree : List.of("src/main/java", "src/test/java")) {
            for (Path source : sources(tree)) {
                if (source.toString().endsWith(".java")) {
                    String text = Files.readString(source);
                    DECLARATION
                            .matcher(text)
                            .results()
                            .forEach(found -> declared.merge(found.group(1), text, String::concat));
                }
            }
        }
        Set<String> missing = new TreeSet<>();
        for (Path page : pages()) {
            if (page.startsWith(ROOT.resolve("docs/explanation")) || page.endsWith("docs/how-to/use-from-java.md")) {
                Matcher names = NAMED_CLASS.matcher(withoutCode(page));
                while (names.find()) {
                    String text = declared.getOrDefault(names.group(1), "");
                    if (text.isEmpty() || (names.group(2) != null && !text.contains(" " + names.group(2) + "("))) {
                        missing.add(ROOT.relativize(page) + " -> " + names.group());
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void headingsHaveTheAnchorsThatGitHubGivesThem() {
        assertThat(anchor("What `SRC` and DEST mean")).isEqualTo("what-src-and-dest-mean");
        assertThat(anchor("Limits, and [links](there.md)")).isEqualTo("limits-and-links");
    }

    /** The files that a page links to, relative to it. */
    static List<String> filesThatAreLinked(Path page) throws IOException {
        return LINK.matcher(withoutCode(page))
                .results()
                .map(link -> link.group(1).replaceFirst("#.*", ""))
                .filter(target -> !target.isEmpty() && !target.matches("[a-z]+:.*"))
                .toList();
    }

    private static boolean resolves(Path page, String target) throws IOException {
        int hash = target.indexOf('#');
        String place = hash < 0 ? target : target.substring(0, hash);
        Path file = place.isEmpty() ? page : page.resolveSibling(place).normalize();
        if (hash < 0 || !file.toString().endsWith(".md")) {
            return Files.exists(file);
        }
        return Files.exists(file) && anchors(file).contains(target.substring(hash + 1));
    }

    private static Set<String> anchors(Path page) throws IOException {
        return HEADING.matcher(withoutCode(page))
                .results()
                .map((MatchResult heading) -> anchor(heading.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String anchor(String heading) {
        return heading.strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                .replaceAll("[^\\w\\- ]", "")
                .replace(' ', '-');
    }

    private static boolean testExists(String className, String method) throws IOException {
        for (Path source : sources("src/test/java")) {
            if (source.endsWith(className + ".java")) {
                return method == null || Files.readString(source).contains(" " + method + "(");
            }
        }
        return false;
    }

    private static List<Path> sources(String tree) throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.toList()) {
                Path folder = module.resolve(tree);
                if (Files.isDirectory(folder)) {
                    try (Stream<Path> files = Files.walk(folder)) {
                        files.forEach(sources::add);
                    }
                }
            }
        }
        return sources;
    }

    /** All pages of the project. */
    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        try (Stream<Path> files = Files.list(ROOT)) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        assertThat(pages).hasSizeGreaterThan(20);
        return pages;
    }

    private static String withoutCode(Path page) throws IOException {
        return CODE_BLOCK.matcher(Files.readString(page)).replaceAll("");
    }
}
