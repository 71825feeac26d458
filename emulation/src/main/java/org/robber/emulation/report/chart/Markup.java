package org.robber.emulation.report.chart;

import static com.google.common.base.Preconditions.checkState;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Writes XML that is HTML too: every element is closed, every text and attribute escaped. */
public final class Markup {

    private final StringBuilder text = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /** Begins an element; attributes are names and values in turn. */
    public Markup open(String element, String... attributes) {
        tag(element, attributes);
        text.append('>');
        open.push(element);
        return this;
    }

    /** Ends the element that was begun last. */
    public Markup close() {
        text.append("</").append(open.pop()).append('>');
        return this;
    }

    /** As {@link #close}, with a line break after it. */
    public Markup closeLine() {
        return close().raw("\n");
    }

    /** An element that holds text alone. */
    public Markup leaf(String element, String content, String... attributes) {
        return open(element, attributes).text(content).close();
    }

    /** A paragraph in this class of the style sheet. */
    public Markup paragraph(String style, String content) {
        return leaf("p", content, "class", style);
    }

    /** Begins a table in this class of the style sheet, up to its first row. */
    public Markup table(String style, List<String> heads) {
        open("table", "class", style).open("thead").open("tr");
        heads.forEach(head -> leaf("th", head));
        return close().closeLine().open("tbody");
    }

    /** Ends a table behind its last row. */
    public Markup endTable() {
        return close().closeLine();
    }

    /** An element that holds nothing: of SVG, or one that HTML knows to be empty. */
    public Markup empty(String element, String... attributes) {
        tag(element, attributes);
        text.append("/>");
        return this;
    }

    /** Text; what XML has no place for is replaced. */
    public Markup text(String content) {
        escape(content);
        return this;
    }

    /** Something that is markup already. */
    public Markup raw(String markup) {
        text.append(markup);
        return this;
    }

    /** All of it; every element must have ended. */
    @Override
    public String toString() {
        checkState(open.isEmpty(), "not closed: %s", open);
        return text.toString();
    }

    private void tag(String element, String... attributes) {
        checkState(attributes.length % 2 == 0, "an attribute of %s has no value", element);
        text.append('<').append(element);
        for (int i = 0; i < attributes.length; i += 2) {
            text.append(' ').append(attributes[i]).append("=\"");
            escape(attributes[i + 1]);
            text.append('"');
        }
    }

    private void escape(String content) {
        content.codePoints().forEach(point -> {
            switch (point) {
                case '<' -> text.append("&lt;");
                case '>' -> text.append("&gt;");
                case '&' -> text.append("&amp;");
                case '"' -> text.append("&quot;");
                default -> text.appendCodePoint(isAllowed(point) ? point : 0xFFFD);
            }
        });
    }

    private static boolean isAllowed(int point) {
        return point == '\n'
                || point == '\t'
                || (point >= 0x20 && point < 0x7F)
                || (point >= 0xA0 && point <= 0xD7FF)
                || (point >= 0xE000 && point <= 0xFFFD)
                || point >= 0x10000;
    }
}
