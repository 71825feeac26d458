package org.robber.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** The limits of the control group of this process, which containers and batch systems set. */
record ControlGroup(MachineFiles machine) {

    /** Limits of memory in bytes, of the group and of all groups that it is in, by versions 1 and 2; empty if none. */
    List<Long> memoryLimits() {
        List<Long> limits = new ArrayList<>();
        for (String line : machine.lines("proc/self/cgroup")) {
            String[] parts = line.split(":", 3);
            if (parts.length < 3) {
                continue;
            }
            boolean second = parts[0].equals("0") && parts[1].isEmpty();
            if (second || List.of(parts[1].split(",")).contains("memory")) {
                String base = second ? "sys/fs/cgroup" : "sys/fs/cgroup/memory";
                add(limits, base, parts[2], second ? "memory.max" : "memory.limit_in_bytes");
            }
        }
        return limits;
    }

    private void add(List<Long> limits, String base, String group, String file) {
        String path = group;
        while (true) {
            long bytes = MachineFiles.number(machine.text(base + path.replaceFirst("/$", "") + "/" + file));
            if (bytes >= 0) {
                limits.add(bytes);
            }
            int slash = path.lastIndexOf('/');
            if (path.length() <= 1 || slash < 0) {
                return;
            }
            path = path.substring(0, Math.max(1, slash));
        }
    }
}
