package org.robber.cli.doctor;

import java.util.List;

/** Whether TCP fills the line when the line loses a few packets. */
record CongestionCheck(MachineFiles machine, Line line) {

    private static final String CHECK = "congestion-control";
    private static final String SACK = "net.ipv4.tcp_sack";
    private static final String USED = "net.ipv4.tcp_congestion_control";
    private static final String ALLOWED = "net.ipv4.tcp_allowed_congestion_control";
    private static final String AVAILABLE = "net.ipv4.tcp_available_congestion_control";

    /** One packet in ten thousand: usual on long lines. */
    private static final double LOSS = 1e-4;

    private static final int SEGMENT_BYTES = 1448;

    List<Finding> findings() {
        return List.of(control(), selectiveAcknowledgements());
    }

    private Finding selectiveAcknowledgements() {
        String check = "tcp-sack";
        long used = machine.number(SACK, 0);
        if (used < 0) {
            return Finding.unknown(check, SACK + " cannot be read");
        }
        String found = SACK + " is " + used;
        return used != 0
                ? Finding.good(check, found)
                : Finding.holdsBack(
                        check,
                        found,
                        "after losses, TCP sends again one lost packet a round trip",
                        "sysctl -w " + SACK + "=1");
    }

    private Finding control() {
        List<String> used = machine.parameter(USED);
        if (used.isEmpty()) {
            return Finding.unknown(CHECK, USED + " cannot be read");
        }
        String name = used.get(0);
        String found = name + " is in use";
        if (name.startsWith("bbr") || rateWithLosses(name) >= line.bytesPerSecond()) {
            return Finding.good(CHECK, found);
        }
        return Finding.advice(
                CHECK,
                found,
                "if one packet in 10,000 is lost at " + line.text() + ", one connection gets about "
                        + Line.bits(rateWithLosses(name)),
                cure());
    }

    /** Any user may choose what the kernel allows to all. */
    private String cure() {
        if (machine.parameter(ALLOWED).contains("bbr")) {
            return "replicate --congestion=bbr";
        }
        String change = "sysctl -w " + USED + "=bbr";
        return machine.parameter(AVAILABLE).contains("bbr") ? change : "modprobe tcp_bbr && " + change;
    }

    /** Bytes per second of one connection: the formulas of RFC 5348 (Reno) and of RFC 9438 (CUBIC), which is never below Reno. */
    private double rateWithLosses(String name) {
        double renoSegments = Math.sqrt(1.5 / LOSS);
        double cubicSegments = 1.054 * Math.pow(line.seconds() / LOSS, 0.75);
        double segments = name.equals("reno") ? renoSegments : Math.max(renoSegments, cubicSegments);
        return segments * SEGMENT_BYTES / line.seconds();
    }
}
