package org.robber.cli.option;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How nodes of a job authenticate each other, and whether their connections are encrypted. */
public final class SecurityOptions extends CheckedOptions {

    private static final List<String> CERTIFICATES = List.of("--tls-cert", "--tls-key", "--tls-ca");

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description = "File with the secret that all nodes of the job share (mode 600). It authenticates nodes and"
                    + " turns on TLS.")
    private @Nullable Path secretFile;

    @Option(
            names = "--tls",
            paramLabel = "WHEN",
            defaultValue = "auto",
            description = "Encrypt connections: auto (with a secret or certificates, but not for --local), on or off."
                    + " Default: ${DEFAULT-VALUE}.")
    private TlsMode tls = TlsMode.AUTO;

    @Option(names = "--tls-cert", paramLabel = "FILE", description = "This node's certificate, PEM.")
    private @Nullable Path certificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "This node's private key, PEM, PKCS #8.")
    private @Nullable Path key;

    @Option(
            names = "--tls-ca",
            paramLabel = "FILE",
            description = "CA certificate, PEM. Only nodes with a certificate signed by it may join.")
    private @Nullable Path authority;

    /** When connections are encrypted. */
    enum TlsMode {
        AUTO,
        ON,
        OFF
    }

    /** Refuses options that a job on this machine would ignore; variables may set them for other jobs. */
    public void checkLocal() {
        refuse(List.of("--secret-file"), name -> "--local makes its own secret: leave out " + name);
        refuse(CERTIFICATES, name -> "--local makes its own secret: leave out " + name);
    }

    /** Refuses options that name files of each host; variables may set them for other jobs. */
    public void checkRemote() {
        refuse(CERTIFICATES, name -> "nodes that -w starts have a secret: leave out " + name);
    }

    /**
     * Whether connections of a job with a secret are encrypted.
     *
     * @param auto whether they are if nothing was said of it
     */
    public boolean encrypts(boolean auto) {
        return tls == TlsMode.ON || (auto && tls == TlsMode.AUTO);
    }

    /** The variables of this process, without those that name certificates. */
    public Map<String, String> variablesWithoutCertificates() {
        Map<String, String> variables = variables();
        variables.keySet().removeAll(List.of("ROBBER_TLS_CERT", "ROBBER_TLS_KEY", "ROBBER_TLS_CA"));
        return variables;
    }

    /** The variables of this process, with the values of these options in place of those of the environment. */
    public Map<String, String> variables() {
        Map<String, String> variables = new HashMap<>(System.getenv());
        if (secretFile != null) {
            variables.put("ROBBER_SECRET_FILE", secretFile.toString());
            variables.remove("ROBBER_SECRET");
        }
        variables.put("ROBBER_TLS", tls.name().toLowerCase(Locale.ROOT));
        put(variables, "ROBBER_TLS_CERT", certificate);
        put(variables, "ROBBER_TLS_KEY", key);
        put(variables, "ROBBER_TLS_CA", authority);
        return variables;
    }

    private static void put(Map<String, String> variables, String name, @Nullable Path file) {
        if (file != null) {
            variables.put(name, file.toString());
        }
    }
}
