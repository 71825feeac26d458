package org.robber.transport.rendezvous;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The name of this machine, for people. */
public final class HostName {
    private static final Logger LOG = LoggerFactory.getLogger(HostName.class);
    private static final Path OF_KERNEL = Path.of("/proc/sys/kernel/hostname");
    private static final Duration LOOK_UP_LIMIT = Duration.ofSeconds(1);
    private static final String UNNAMED = "(unnamed host)";

    private HostName() {}

    public static String ofThisMachine() {
        return of(OF_KERNEL, HostName::lookUp, LOOK_UP_LIMIT);
    }

    /**
     * The name that the kernel has. On systems whose kernel has no such file the name is looked up, which may ask the network and so has
     * a limit.
     */
    static String of(Path ofKernel, Supplier<String> lookUp, Duration limit) {
        try {
            String name = Files.readString(ofKernel).strip();
            if (!name.isEmpty()) {
                return name;
            }
        } catch (IOException e) {
            LOG.debug("the kernel does not tell the name of this machine", e);
        }
        CompletableFuture<String> name = new CompletableFuture<>();
        Thread asking = new Thread(() -> name.complete(lookUp.get()), "robber-host-name");
        asking.setDaemon(true);
        asking.start();
        return name.completeOnTimeout(UNNAMED, limit.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    private static String lookUp() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return UNNAMED;
        }
    }
}
