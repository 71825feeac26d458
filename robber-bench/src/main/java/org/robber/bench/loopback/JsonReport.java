package org.robber.bench.loopback;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What programs read: every figure of every run, and what follows from them, as JSON. */
final class JsonReport {
    private static final int SCHEMA = 1;

    private JsonReport() {}

    /** The whole report. */
    static String of(LoopbackOptions options, Map<String, Object> machine, List<CaseResult> results) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("schema", SCHEMA);
        report.put("machine", machine);
        report.put("options", ofOptions(options));
        report.put("cases", results.stream().map(JsonReport::ofCase).toList());
        return JsonText.of(report) + "\n";
    }

    private static Map<String, Object> ofOptions(LoopbackOptions options) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("runs", options.runs());
        map.put("clusters", options.clusters());
        map.put("strategy", options.channel().strategy());
        map.put("piece_bytes", options.channel().pieceBytes());
        map.put("digest", options.channel().digest());
        map.put("request_window", options.channel().requestWindow());
        map.put("class_archive", options.classArchive());
        map.put("directory", options.directory().toString());
        return map;
    }

    private static Map<String, Object> ofCase(CaseResult result) {
        List<Object> runs = new ArrayList<>();
        result.runs().forEach((contender, list) -> list.forEach(run -> runs.add(ofRun(contender, run))));
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("receivers", result.one().receivers());
        map.put("size_bytes", result.one().sizeBytes());
        map.put("runs", runs);
        map.put("ratios", Ratio.of(result).stream().map(JsonReport::ofRatio).toList());
        map.put("goals", Goal.of(result).stream().map(JsonReport::ofGoal).toList());
        return map;
    }

    private static Map<String, Object> ofRun(Contender contender, RunFigures run) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("contender", contender.label());
        map.put("seconds", run.seconds());
        map.put("seconds_from_launch", run.secondsFromLaunch());
        map.put("gigabytes_per_second", run.gigabytesPerSecond());
        map.put("transfer_cpu_seconds_per_gigabyte", run.transferCpuSeconds());
        map.put("process_cpu_seconds_per_gigabyte", run.processCpuSeconds());
        map.put("root_peak_resident_bytes", run.rootResidentBytes());
        map.put("receiver_peak_resident_bytes", run.receiverResidentBytes());
        if (contender.isRobber()) {
            map.put("open_seconds", run.openSeconds());
            map.put("control_share", run.controlShare());
            map.put("wan_copies", run.wanCopies());
        }
        return map;
    }

    private static Map<String, Object> ofRatio(Ratio ratio) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("contender", ratio.contender().label());
        map.put("yardstick", ratio.yardstick().label());
        map.put("time", ratio.time());
        map.put("transfer_cpu", ratio.transferCpu());
        map.put("process_cpu", ratio.processCpu());
        return map;
    }

    private static Map<String, Object> ofGoal(Goal goal) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("what", goal.what());
        map.put("value", goal.value());
        map.put(goal.atMost() ? "at_most" : "at_least", goal.limit());
        map.put("met", goal.met());
        return map;
    }
}
