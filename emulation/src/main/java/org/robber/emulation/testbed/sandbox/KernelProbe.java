package org.robber.emulation.testbed.sandbox;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Tries out, in namespaces that end with the attempt, whether this process can create the parts of a testbed. In a container, root
 * may lack permissions, and a kernel may lack a part.
 */
final class KernelProbe {

    /** The trials in order, each with the part that is missing if it fails. One shell runs them all, as each needs those before it. */
    private static final ImmutableMap<String, String> STEPS = ImmutableMap.<String, String>builder()
            .put("mount -t tmpfs tmpfs /dev/shm", "no mounts allowed: a container needs --privileged")
            .put("mkdir /dev/shm/sys", "nothing can be written to /dev/shm")
            .put("mount -t sysfs sysfs /dev/shm/sys", "no sysfs to be mounted: a container needs --privileged")
            .put("ip link add v0 type veth peer name v1", "the kernel has no veth: run modprobe veth")
            .put("ip link add b0 type bridge", "the kernel has no bridges: run modprobe bridge")
            .put("tc qdisc add dev v0 root handle 1: htb", "the kernel has no HTB: run modprobe sch_htb")
            .put("tc class add dev v0 parent 1: classid 1:1 htb rate 1mbit", "the kernel has no HTB classes")
            .put(
                    "tc filter add dev v0 parent 1: protocol ip u32 match ip dst 10.0.0.0/8 flowid 1:1",
                    "the kernel has no u32 filter: run modprobe cls_u32")
            .put("ip tuntap add dev t0 mode tun", "no TUN devices to be made: a container needs --device /dev/net/tun")
            .buildOrThrow();

    private static final String FAILED = "failed: ";

    private KernelProbe() {}

    /** The missing part and its remedy; empty if there is none. The commands used must be installed. */
    static ImmutableList<String> missing() {
        StringBuilder script = new StringBuilder("echo begun\n");
        int number = 0;
        for (Map.Entry<String, String> step : STEPS.entrySet()) {
            script.append(step.getKey())
                    .append(" || { echo ")
                    .append(FAILED)
                    .append(number)
                    .append("; exit 1; }\n");
            number++;
        }
        try {
            Process process = Sandbox.startInNewNamespaces(script.toString());
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? ImmutableList.of() : ImmutableList.of(reason(output));
        } catch (IOException e) {
            return ImmutableList.of("cannot make namespaces: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ImmutableList.of("interrupted");
        }
    }

    /** The reason of the failure, from its output. */
    static String reason(String output) {
        if (!output.startsWith("begun")) {
            return "no namespaces to be made (" + output.strip() + "): a container needs --privileged";
        }
        int at = output.lastIndexOf(FAILED);
        if (at < 0) {
            return "namespaces end at once (" + output.strip() + ")";
        }
        int number = Integer.parseInt(output.substring(at + FAILED.length()).strip());
        String words = output.substring("begun".length(), at).strip();
        return STEPS.values().asList().get(number) + " (" + words + ")";
    }
}
