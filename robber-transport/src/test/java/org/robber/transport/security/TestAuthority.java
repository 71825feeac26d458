package org.robber.transport.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.robber.TlsOptions;

/** A certificate authority as an operator has it: made by openssl. */
final class TestAuthority {
    private final Path folder;

    /** Skips the test where there is no openssl. */
    TestAuthority(Path folder) throws IOException, InterruptedException {
        this.folder = Files.createDirectories(folder);
        assumeThat(Files.isExecutable(Path.of("/usr/bin/openssl"))).isTrue();
        openssl(
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-keyout",
                "ca.key",
                "-out",
                "ca.pem",
                "-subj",
                "/CN=ca");
    }

    Path certificate() {
        return folder.resolve("ca.pem");
    }

    /** A member, who trusts this authority. */
    TlsOptions.Files member(String name, int days) throws IOException, InterruptedException {
        return member(name, days, certificate());
    }

    /**
     * A member with a certificate by this authority.
     *
     * @param days how long it is good for; -1 if it was until yesterday
     * @param trusted whom the member believes
     */
    TlsOptions.Files member(String name, int days, Path trusted) throws IOException, InterruptedException {
        String key = name + ".key";
        openssl(
                "req",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-keyout",
                key,
                "-out",
                name + ".csr",
                "-subj",
                "/CN=" + name);
        openssl(
                "x509",
                "-req",
                "-in",
                name + ".csr",
                "-CA",
                "ca.pem",
                "-CAkey",
                "ca.key",
                "-CAcreateserial",
                "-out",
                name + ".pem",
                "-days",
                Integer.toString(days));
        return new TlsOptions.Files(folder.resolve(name + ".pem"), folder.resolve(key), trusted);
    }

    private void openssl(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("/usr/bin/openssl"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
