package org.robber.cli.remote;

import com.google.common.base.Splitter;
import com.google.common.hash.Hashing;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.launch.OwnCommand;

/**
 * This program as an archive (tar) for hosts that do not have it: its jar, the libraries beside it, and other jars of the class path. The same jars give the
 * same archive.
 */
final class CarriedProgram {

    /** The name of the jar in the archive. */
    static final String JAR = "robber-cli.jar";

    /** Unpacked native libraries, which each process would else unpack for itself. */
    private static final String NATIVE = "lib/native";

    private static final int BLOCK_BYTES = 512;
    private static final int LONGEST_NAME = 100;

    private final byte[] archive;
    private final String digest;
    private final String sums;

    private CarriedProgram(byte[] archive, String sums) {
        this.archive = archive;
        this.digest = sha256(sums.getBytes(StandardCharsets.UTF_8));
        this.sums = sums;
    }

    /**
     * The program that this process runs.
     *
     * @throws RobberException with {@code INTERNAL} if it is not run from a jar, or that cannot be read
     */
    static CarriedProgram ofThisProcess() {
        String classPath = System.getProperty("java.class.path");
        try {
            Path own = OwnCommand.jar(CarriedProgram.class);
            if (own == null) {
                throw new NoSuchFileException(JAR);
            }
            List<Path> more = new ArrayList<>();
            for (String name : Splitter.on(File.pathSeparatorChar).split(classPath)) {
                // Java ignores what is not there. Folders are not carried.
                if (Files.isRegularFile(Path.of(name)) && !Files.isSameFile(Path.of(name), own)) {
                    more.add(Path.of(name));
                }
            }
            return of(own, more);
        } catch (IOException e) {
            throw new RobberException(
                    Reason.INTERNAL,
                    List.of(),
                    "launch",
                    "cannot read this program, to carry it to other hosts, from '" + classPath
                            + "': start it by bin/robber-cli, or java -jar robber-cli.jar: " + e,
                    e);
        }
    }

    /**
     * The program in this jar, with the libraries that its manifest names.
     *
     * @param more jars with strategies of the user
     */
    static CarriedProgram of(Path jar, List<Path> more) throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put(JAR, Files.readAllBytes(jar));
        for (String library : libraries(jar)) {
            files.put(library, Files.readAllBytes(jar.resolveSibling(library)));
        }
        Path unpacked = jar.resolveSibling(NATIVE);
        if (Files.isDirectory(unpacked)) {
            try (Stream<Path> libraries = Files.list(unpacked)) {
                for (Path library : libraries.sorted().toList()) {
                    files.put(NATIVE + "/" + library.getFileName(), Files.readAllBytes(library));
                }
            }
        }
        for (Path one : more) {
            files.put("more/" + files.size() + ".jar", Files.readAllBytes(one));
        }
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        StringBuilder sums = new StringBuilder();
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            add(archive, file.getKey(), file.getValue());
            sums.append(sha256(file.getValue()))
                    .append("  ")
                    .append(file.getKey())
                    .append('\n');
        }
        archive.write(new byte[2 * BLOCK_BYTES]);
        return new CarriedProgram(archive.toByteArray(), sums.toString());
    }

    private static List<String> libraries(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            @Nullable Manifest manifest = file.getManifest();
            @Nullable
            String classPath =
                    manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            return classPath == null ? List.of() : List.of(classPath.strip().split(" +"));
        }
    }

    private static void add(ByteArrayOutputStream archive, String name, byte[] content) throws IOException {
        archive.write(header(name, content.length));
        archive.write(content);
        archive.write(new byte[Math.floorMod(-content.length, BLOCK_BYTES)]);
    }

    /** The header of a plain file in the format ustar. */
    private static byte[] header(String name, int bytes) throws IOException {
        if (name.length() > LONGEST_NAME || name.startsWith("/") || name.contains("..")) {
            throw new IOException("no name for a file of an archive: " + name);
        }
        byte[] header = new byte[BLOCK_BYTES];
        put(header, 0, name);
        put(header, 100, "0000600\0" + "0000000\0" + "0000000\0");
        put(header, 124, String.format("%011o", bytes) + "\0" + "00000000000\0" + "        " + "0");
        put(header, 257, "ustar\0" + "00");
        int sum = 0;
        for (byte b : header) {
            sum += Byte.toUnsignedInt(b);
        }
        put(header, 148, String.format("%06o", sum) + "\0 ");
        return header;
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }

    private static String sha256(byte[] bytes) {
        return Hashing.sha256().hashBytes(bytes).toString();
    }

    /** The archive; not to be changed. */
    byte[] archive() {
        return archive;
    }

    /** SHA-256 of {@link #sums} in hexadecimal digits: tells one program from another. */
    String digest() {
        return digest;
    }

    /** SHA-256 of each file in the archive, in the lines of {@code sha256sum}. */
    String sums() {
        return sums;
    }
}
