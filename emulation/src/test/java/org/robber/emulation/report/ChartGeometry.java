package org.robber.emulation.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.robber.emulation.report.chart.TextSize;
import org.w3c.dom.Element;

/** Where the parts of a chart are on its paper. */
final class ChartGeometry {

    private static final Pattern POINT = Pattern.compile("[ML](-?[\\d.]+) (-?[\\d.]+)");

    /** A rectangle that something takes up. */
    private record Box(String what, double left, double top, double right, double bottom) {
        boolean overlaps(Box other) {
            return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
        }
    }

    private ChartGeometry() {}

    /** Fails if something is outside of the view box, or if texts cover one another. */
    static void assertInsideViewBox(Element svg) {
        List<String> viewBox = Splitter.on(' ').splitToList(svg.getAttribute("viewBox"));
        double width = Double.parseDouble(viewBox.get(2));
        double height = Double.parseDouble(viewBox.get(3));
        List<Box> boxes = new ArrayList<>(texts(svg));
        for (Element line : Pages.elements(svg, "line")) {
            boxes.add(
                    box(line, "line", number(line, "x1"), number(line, "y1"), number(line, "x2"), number(line, "y2")));
        }
        for (Element rect : Pages.elements(svg, "rect")) {
            double x = number(rect, "x");
            double y = number(rect, "y");
            assertThat(number(rect, "width")).isNotNegative();
            boxes.add(box(rect, "rect", x, y, x + number(rect, "width"), y + number(rect, "height")));
        }
        for (Element path : Pages.elements(svg, "path")) {
            Matcher points = POINT.matcher(path.getAttribute("d"));
            while (points.find()) {
                double x = Double.parseDouble(points.group(1));
                double y = Double.parseDouble(points.group(2));
                boxes.add(new Box("path", x, y, x, y));
            }
        }
        for (Box box : boxes) {
            assertThat(box.left).as("%s", box).isGreaterThanOrEqualTo(0);
            assertThat(box.top).as("%s", box).isGreaterThanOrEqualTo(0);
            assertThat(box.right).as("%s in a width of %s", box, width).isLessThanOrEqualTo(width);
            assertThat(box.bottom).as("%s in a height of %s", box, height).isLessThanOrEqualTo(height);
        }
        assertNoOverlap(texts(svg));
    }

    private static void assertNoOverlap(List<Box> texts) {
        for (int i = 0; i < texts.size(); i++) {
            for (int j = i + 1; j < texts.size(); j++) {
                assertThat(texts.get(i).overlaps(texts.get(j)))
                        .as("%s over %s", texts.get(i), texts.get(j))
                        .isFalse();
            }
        }
    }

    private static List<Box> texts(Element svg) {
        List<Box> boxes = new ArrayList<>();
        for (Element text : Pages.elements(svg, "text")) {
            double width = TextSize.width(text.getTextContent());
            double x = number(text, "x");
            double y = number(text, "y");
            double left = switch (text.getAttribute("text-anchor")) {
                case "start" -> x;
                case "middle" -> x - width / 2;
                case "end" -> x - width;
                default -> throw new AssertionError("no anchor: " + text.getTextContent());
            };
            boxes.add(new Box(
                    text.getTextContent(), left, y - 0.75 * TextSize.FONT, left + width, y + 0.2 * TextSize.FONT));
        }
        return boxes;
    }

    private static Box box(Element element, String what, double x1, double y1, double x2, double y2) {
        return new Box(
                what + " " + element.getAttribute("class"),
                Math.min(x1, x2),
                Math.min(y1, y2),
                Math.max(x1, x2),
                Math.max(y1, y2));
    }

    private static double number(Element element, String name) {
        return Double.parseDouble(element.getAttribute(name));
    }
}
