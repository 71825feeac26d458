package org.robber.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options about encryption. */
final class EncryptionOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--tls",
            paramLabel = "WHEN",
            defaultValue = "auto",
            description = "Encrypt: auto (default: with a secret or certificates, not for --local), on or off.")
    private String tls = "";

    @Option(names = "--tls-cert", paramLabel = "FILE", description = "This node's certificate, PEM.")
    private @Nullable Path certificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "Its private key, PEM, PKCS #8.")
    private @Nullable Path key;

    @Option(names = "--tls-ca", paramLabel = "FILE", description = "Whoever has a certificate by it may take part.")
    private @Nullable Path authority;

    /** Refuses values that make no sense. */
    void check() {
        if (!List.of("auto", "on", "off").contains(tls)) {
            throw new ParameterException(spec.commandLine(), "--tls: '" + tls + "' is unknown: use auto, on or off");
        }
    }

    /** With the file that the secret is in, if any. */
    SecurityFiles with(@Nullable Path secret) {
        return new SecurityFiles(secret, tls, certificate, key, authority);
    }
}
