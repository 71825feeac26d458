package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A certificate authority and those it has certified, made by openssl. */
final class Certificates {
    private static final Path OPENSSL = Path.of("/usr/bin/openssl");

    private final Path folder;

    /** Makes the authority. */
    Certificates(Path folder) throws IOException, InterruptedException {
        this.folder = Files.createDirectories(folder);
        openssl("req", "-x509", newKey("ca"), "-out", "ca.pem", "-subj", "/CN=ca");
    }

    /** Whether there is an openssl here. */
    static boolean arePossible() {
        return Files.isExecutable(OPENSSL);
    }

    /**
     * The variables of a node that is certified by this authority.
     *
     * @param days how long its certificate is good for; -1 if it was until yesterday
     * @param trusted whose nodes it believes
     */
    Map<String, String> node(String name, int days, Certificates trusted) throws IOException, InterruptedException {
        openssl("req", newKey(name), "-out", name + ".csr", "-subj", "/CN=" + name);
        openssl(
                "x509 -req -CA ca.pem -CAkey ca.key -CAcreateserial",
                "-in",
                name + ".csr",
                "-out",
                name + ".pem",
                "-days",
                Integer.toString(days));
        return Map.of(
                "ROBBER_TLS_CERT", folder.resolve(name + ".pem").toString(),
                "ROBBER_TLS_KEY", folder.resolve(name + ".key").toString(),
                "ROBBER_TLS_CA", trusted.folder.resolve("ca.pem").toString());
    }

    private static String newKey(String name) {
        return "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout " + name + ".key";
    }

    private void openssl(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(OPENSSL.toString()));
        for (String argument : arguments) {
            command.addAll(List.of(argument.split(" ", -1)));
        }
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
