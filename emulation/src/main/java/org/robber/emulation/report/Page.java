package org.robber.emulation.report;

import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.robber.emulation.report.chart.Markup;

/** A page for a browser that needs nothing else: no script, no font, no file beside it. Well-formed XML as well. */
public final class Page {

    private Page() {}

    /** Begins a page, in dark colours where the reader prefers them; what is written next stands in its body. */
    public static Markup begin(String title) {
        Markup out = new Markup();
        out.raw("<!DOCTYPE html>\n").open("html", "lang", "en").open("head");
        out.empty("meta", "charset", "utf-8");
        out.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        out.empty("meta", "name", "color-scheme", "content", "light dark");
        out.leaf("title", title);
        out.open("style").raw("\n" + style()).close();
        return out.closeLine().open("body");
    }

    /** Ends it, and returns its text. */
    public static String end(Markup page) {
        return page.close().closeLine().toString();
    }

    private static String style() {
        try {
            return Resources.toString(Resources.getResource(Page.class, "report.css"), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("report.css", e);
        }
    }
}
