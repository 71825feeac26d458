package org.robber.emulation.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.robber.emulation.experiment.Findings;
import org.robber.emulation.experiment.HandMade;
import org.robber.emulation.scenario.Scenario;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;

class HtmlReportTest {

    private final String text = HtmlReport.text(HandMade.example());
    private final Document page = Pages.parse(text);

    @Test
    void needsNothingFromElsewhere() {
        assertThat(text).doesNotContain("http:", "https:", "//", "@import", "url(");
        assertThat(Pages.elements(page, "script")).isEmpty();
        assertThat(Pages.elements(page, "link")).isEmpty();
        assertThat(Pages.elements(page, "img")).isEmpty();
        for (Element element : Pages.elements(page, "*")) {
            NamedNodeMap attributes = element.getAttributes();
            assertThat(attributes.getNamedItem("src")).as(element.getTagName()).isNull();
            assertThat(attributes.getNamedItem("href")).as(element.getTagName()).isNull();
        }
    }

    @Test
    void onlyElementsThatHtmlKnowsToBeEmptyAreClosedByThemselves() {
        Set<String> empty = Set.of("meta", "br", "line", "rect", "path");
        java.util.regex.Matcher selfClosed =
                java.util.regex.Pattern.compile("<(\\w+)[^<>]*/>").matcher(text);
        while (selfClosed.find()) {
            assertThat(empty).contains(selfClosed.group(1));
        }
    }

    @Test
    void theComparisonShowsMeasuredBesidePublishedShares() {
        Element table = Pages.elements(page, "table").get(0);
        List<Element> rows = Pages.elements(table, "tr");

        assertThat(rows).hasSize(4);
        assertThat(Pages.texts(Pages.elements(rows.get(0), "th")))
                .containsExactly("Scenario", "Bound, s", "Measured, simulator", "Published");
        assertThat(Pages.texts(Pages.elements(rows.get(1), "th")))
                .containsExactly("robber", "mob", "bittorrent", "mob", "robber", "balanced");
        // 40 s of 50 s and of 64 s: 80 % and 62.5 %, t(1) = 12.7
        assertThat(Pages.texts(Pages.elements(rows.get(2), "td")))
                .containsExactly(
                        "40.00", "71.3 \u00b1 111.2 (53.4)", "50.0 (37.5)1 of 2 complete", "13", "92", "91", "93");
        assertThat(Pages.texts(Pages.elements(rows.get(3), "td")))
                .containsExactly("40.00", "100.0 \u00b1 0.0 (75.0)", "40.0 (30.0)", "", "", "", "");
    }

    @Test
    void everyRunHasARowWithItsSeed() {
        List<Element> tables = Pages.elements(page, "table");
        List<Element> rows = Pages.elements(tables.get(tables.size() - 1), "tr");

        assertThat(rows).hasSize(8);
        assertThat(Pages.texts(Pages.elements(rows.get(2), "td")))
                .containsExactly(
                        "tc1_fast_links",
                        "simulator",
                        "robber",
                        "2",
                        "62.5",
                        "46.9",
                        "64.000",
                        "9.38",
                        "B 1.010, C 1.010, D 1.010",
                        "0.011",
                        "1,100",
                        "rank 11");
        assertThat(Pages.texts(Pages.elements(rows.get(4), "td")))
                .contains("incomplete: rank 11 has 3 of 573 pieces, \"stuck\"\nat 80 s");
    }

    @Test
    void environmentAndCommandAreNamedAndAnEarlyEndIsSaid() {
        String body = Pages.elements(page, "body").get(0).getTextContent();

        assertThat(body)
                .contains(
                        "robber-cli emulate 'a <b>.json' --runs=2",
                        "600,000,000 bytes",
                        "Java 17.0.15",
                        "Linux 6.1.0",
                        "2 cores",
                        "Ended early: 7 of 8 runs.",
                        "the run with seed 1, the one in the middle");
    }

    @Test
    void everyClusterLinkAndSourceIsDrawn() {
        List<String> titles = Pages.elements(page, "svg").stream()
                .map(svg -> Pages.elements(svg, "title").get(0).getTextContent())
                .collect(Collectors.toList());

        assertThat(titles)
                .contains(
                        "Cluster A, 3 nodes, MB/s",
                        "Cluster B, 1 node, MB/s",
                        "A \u2192 B, MB/s",
                        "D \u2192 C, MB/s",
                        "Data received, by sending cluster");
        // for each of two scenarios 5 that compare strategies; then for each of two strategies 4 clusters and 12 links
        // in the
        // first, 2 clusters and 2 links in the second, and sources for each
        assertThat(titles).hasSize(2 * 5 + 2 * (4 + 12 + 1) + 2 * (2 + 2 + 1));
    }

    @Test
    void strategiesAreComparedInFiguresAndWithoutDetailNothingElseIsShown() {
        Document comparison = Pages.parse(HtmlReport.text(HandMade.inShort(HandMade.example())));

        Element table = Pages.elements(comparison, "table").get(1);
        List<Element> rows = Pages.elements(table, "tr");
        assertThat(Pages.texts(Pages.elements(rows.get(0), "th")))
                .startsWith("Strategy", "Robustness S, %", "Goodput G, MB/s", "Bound, %")
                .as("nothing was measured")
                .doesNotContain("CPU s/GB");
        // 80 s for 600 MB; 11 receivers got 600 MB and 12 nodes sent 60 kB besides
        assertThat(Pages.texts(Pages.elements(rows.get(2), "td")))
                .containsExactly(
                        "50 (1 of 2)", "7.50", "50.0", "37.5", "80.00", "0.0", "0.011", "B 1.010, C 1.010, D 1.010");
        assertThat(Pages.elements(comparison, "svg")).hasSize(2 * 5);
        assertInside(comparison);
    }

    @Test
    void nothingIsDrawnBeyondTheEdges() {
        assertInside(page);
    }

    @Test
    void manyClustersAndNodesAreDrawnInPart() {
        Scenario large = HandMade.scenario("large", 30, 40);
        Findings findings =
                HandMade.findings(List.of(large), List.of("robber"), List.of(HandMade.run(large, "robber", 1, 100)));
        String report = HtmlReport.text(findings);

        assertThat(report.length()).isLessThan(2_000_000);
        assertThat(report)
                .contains(
                        "The first 12 of 30 clusters",
                        "The 24 busiest of 870 links",
                        "The first 24 of 30 clusters",
                        "24 of the nodes");
        assertInside(Pages.parse(report));
    }

    @Test
    void whatIsSentByAPlanIsNotStolen() {
        Scenario alone = HandMade.scenario("s", 2, 2);
        Findings findings = HandMade.findings(
                List.of(alone),
                List.of("robber", "chain"),
                List.of(HandMade.run(alone, "robber", 1, 50), HandMade.run(alone, "chain", 1, 50)));
        List<Element> tables = Pages.elements(Pages.parse(HtmlReport.text(findings)), "table");
        List<Element> rows = Pages.elements(tables.get(tables.size() - 1), "tr");
        int stolen = Pages.texts(Pages.elements(rows.get(0), "th")).indexOf("Stolen pieces");

        assertThat(Pages.texts(Pages.elements(rows.get(1), "td")).get(stolen)).isEqualTo("300");
        assertThat(Pages.texts(Pages.elements(rows.get(2), "td")).get(stolen)).isEqualTo("\u2013");
    }

    @Test
    void runsWithoutDataOrTimeAreDrawnToo() {
        Scenario alone = HandMade.scenario("alone", 1, 1);
        Findings none = HandMade.findings(List.of(alone), List.of("robber"), List.of());
        Findings one =
                HandMade.findings(List.of(alone), List.of("robber"), List.of(HandMade.run(alone, "robber", 1, 1)));

        assertThat(Pages.texts(Pages.elements(Pages.parse(HtmlReport.text(none)), "td")))
                .contains("not run");
        assertInside(Pages.parse(HtmlReport.text(one)));
    }

    private static void assertInside(Document page) {
        assertThat(Pages.elements(page, "svg")).isNotEmpty();
        for (Element svg : Pages.elements(page, "svg")) {
            ChartGeometry.assertInsideViewBox(svg);
        }
    }
}
