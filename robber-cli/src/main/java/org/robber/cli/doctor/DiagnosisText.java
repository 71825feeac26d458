package org.robber.cli.doctor;

import static org.robber.emulation.json.JsonObjectWriter.objects;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.robber.cli.doctor.Finding.Verdict;
import org.robber.emulation.json.JsonObjectWriter;

/** A diagnosis for people, and for programs as {@code doctor.schema.json} describes it. */
public final class DiagnosisText {

    /** Version of the JSON. */
    private static final int SCHEMA = 1;

    private DiagnosisText() {}

    /** Lines for people. */
    public static List<String> lines(Diagnosis diagnosis) {
        List<String> lines = new ArrayList<>();
        lines.add(line("CHECK", "RESULT", "FOUND"));
        for (Finding finding : diagnosis.findings()) {
            lines.add(line(finding.check(), finding.verdict().words(), finding.found()));
            if (!finding.cost().isEmpty()) {
                lines.add(line("", "", "cost: " + finding.cost()));
            }
            if (!finding.cure().isEmpty()) {
                lines.add(line("", "", "cure: " + finding.cure()));
            }
        }
        long held = diagnosis.count(Verdict.HOLDS_BACK);
        lines.add((held == 0 ? "no finding holds" : held == 1 ? "1 finding holds" : held + " findings hold")
                + " back transfers over a line of " + diagnosis.line().text() + unknown(diagnosis));
        return lines;
    }

    /** What could not be examined is no good news. */
    private static String unknown(Diagnosis diagnosis) {
        long unknown = diagnosis.count(Verdict.UNKNOWN);
        return unknown == 0 ? "" : "; " + unknown + (unknown == 1 ? " check tells" : " checks tell") + " nothing";
    }

    private static String line(String check, String verdict, String text) {
        return String.format(Locale.ROOT, "%-19s %-11s %s", check, verdict, text);
    }

    /** Indented JSON. */
    public static String json(Diagnosis diagnosis) {
        return JsonObjectWriter.indented(json -> {
            json.writeNumberProperty("schema", SCHEMA);
            json.writeStringProperty("status", diagnosis.exitCode() == 0 ? "good" : "holds_back");
            json.writeNumberProperty("exit_code", diagnosis.exitCode());
            json.writeNumberProperty(
                    "bandwidth_bytes_per_second", diagnosis.line().bytesPerSecond());
            json.writeNumberProperty("rtt_seconds", diagnosis.line().seconds());
            objects(json, "findings", diagnosis.findings(), finding -> {
                json.writeStringProperty("check", finding.check());
                json.writeStringProperty("verdict", finding.verdict().key());
                json.writeStringProperty("found", finding.found());
                if (!finding.cost().isEmpty()) {
                    json.writeStringProperty("cost", finding.cost());
                    json.writeStringProperty("cure", finding.cure());
                }
            });
        });
    }
}
