package org.robber.cli;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the options say about the secret and about encryption: never the secret itself, only where it is.
 *
 * @param tls auto, on or off
 */
record SecurityFiles(
        @Nullable Path secret,
        String tls,
        @Nullable Path certificate,
        @Nullable Path key,
        @Nullable Path authority) {

    /** Whether encryption is asked for where it is off otherwise. */
    boolean wantTls() {
        return tls.equals("on");
    }

    /** Puts these in the place of what the environment says. */
    void addTo(Map<String, String> variables) {
        if (secret != null) {
            variables.put("ROBBER_SECRET_FILE", secret.toString());
            variables.remove("ROBBER_SECRET");
        }
        variables.put("ROBBER_TLS", tls);
        put(variables, "ROBBER_TLS_CERT", certificate);
        put(variables, "ROBBER_TLS_KEY", key);
        put(variables, "ROBBER_TLS_CA", authority);
    }

    private static void put(Map<String, String> variables, String name, @Nullable Path file) {
        if (file != null) {
            variables.put(name, file.toString());
        }
    }
}
