package org.robber.transport.launch;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * The name of a job and the address of its rank 0.
 *
 * @param port 1..65535; 0 lets a node that is alone choose any
 */
record JobAddress(String job, String host, int port) {
    static final String LOOPBACK = "127.0.0.1";

    /** Derived ports are below those of outgoing connections, which begin at 32768 or higher. */
    private static final int FIRST_DERIVED_PORT = 20_000;

    private static final int DERIVED_PORTS = 10_000;

    /** For a job whose launcher names no port: every rank derives the same one from the job's name. */
    static JobAddress derived(String job, String host) {
        CRC32 hash = new CRC32();
        hash.update(job.getBytes(StandardCharsets.UTF_8));
        return new JobAddress(job, host, FIRST_DERIVED_PORT + (int) (hash.getValue() % DERIVED_PORTS));
    }
}
