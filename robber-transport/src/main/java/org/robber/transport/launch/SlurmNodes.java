package org.robber.transport.launch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Addresses of Slurm's nodes, whose names may be known to Slurm alone. */
final class SlurmNodes {
    private static final Logger LOG = LoggerFactory.getLogger(SlurmNodes.class);
    private static final Pattern ADDRESS = Pattern.compile("(?:^|\\s)NodeAddr=(?<address>\\S+)");
    private static final long LIMIT_SECONDS = 10;

    private SlurmNodes() {}

    /** Where this node is reached: its name, if that is known here; else the address that Slurm has for it; the name, if Slurm tells none. */
    static String address(String node) {
        try {
            InetAddress unused = InetAddress.getByName(node);
            return node;
        } catch (UnknownHostException e) {
            LOG.debug("the node {} of Slurm has no address here: asks Slurm", node, e);
        }
        try {
            Matcher matcher = ADDRESS.matcher(ask(node));
            return matcher.find() ? matcher.group("address") : node;
        } catch (IOException e) {
            LOG.debug("Slurm does not tell the address of {}", node, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return node;
    }

    /** One line, which fits into the buffer of a pipe. */
    private static String ask(String node) throws IOException, InterruptedException {
        Process scontrol = new ProcessBuilder("scontrol", "--oneliner", "show", "node", node)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!scontrol.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("scontrol says nothing for " + LIMIT_SECONDS + " s");
            }
            return new String(scontrol.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            scontrol.destroyForcibly();
        }
    }
}
