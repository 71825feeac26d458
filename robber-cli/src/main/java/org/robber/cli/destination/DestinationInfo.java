package org.robber.cli.destination;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.robber.cli.message.Fields;
import org.robber.cli.report.FileFailure;

/**
 * The place that a node is going to write to, as it is before the job.
 *
 * @param host the machine
 * @param path the place without links, as far as it exists
 * @param fileKey what the file system calls the deepest folder of the path that exists: tells apart equal paths in
 *     different containers of one machine
 * @param store the file system, as named by the machine
 * @param freeBytes how much room is there to use
 * @param keptBytes how much must stay free there, which is not part of freeBytes
 * @param problem why it can't be written to, or empty
 */
public record DestinationInfo(
        String host, String path, String fileKey, String store, long freeBytes, long keptBytes, String problem) {

    /** Of a node that will write nowhere, or to no file. */
    public static DestinationInfo ofNone() {
        return new DestinationInfo("", "", "", "", 0, 0, "");
    }

    /** Of a node that has the source there, and writes nothing. */
    public static DestinationInfo ofSource(String host, Path place) {
        DestinationInfo info = of(host, place);
        return new DestinationInfo(host, info.path, info.fileKey, "", Long.MAX_VALUE, 0, "");
    }

    /** Whether the node has the source there, and writes nothing. */
    public boolean isSource() {
        return store.isEmpty() && freeBytes == Long.MAX_VALUE;
    }

    /** Whether the node will write nowhere, or to no file. */
    public boolean isNone() {
        return path.isEmpty();
    }

    /** Looks at a place, of which the last folder need not exist. */
    public static DestinationInfo of(String host, Path place) {
        return of(host, place, 1);
    }

    /**
     * Looks at a place, which need not exist.
     *
     * @param foldersMade how many of the last folders of the path are made if they are missing
     */
    public static DestinationInfo of(String host, Path place, int foldersMade) {
        Path absolute = place.toAbsolutePath();
        Path existing = absolute;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        try {
            Path real = existing.toRealPath();
            int depth = existing.getNameCount();
            boolean isThere = depth == absolute.getNameCount();
            Path missing = isThere ? absolute : absolute.subpath(depth, absolute.getNameCount());
            // Two dots in the missing part lead out of no link.
            Path path = isThere ? real : real.resolve(missing).normalize();
            Object key = Files.readAttributes(real, BasicFileAttributes.class).fileKey();
            return new DestinationInfo(
                    host,
                    path.toString(),
                    String.valueOf(key),
                    store(real),
                    freeBytes(real),
                    0,
                    problem(real, missing, foldersMade));
        } catch (IOException e) {
            return new DestinationInfo(
                    host, absolute.toString(), "", "", 0, 0, existing + " cannot be looked at: " + FileFailure.text(e));
        }
    }

    /** A name of the file system, the same for all of its places. Those in memory are all called tmpfs, so they have the number of their device, too. */
    private static String store(Path real) throws IOException {
        try {
            String name = Files.getFileStore(real).name();
            return name.startsWith("/") ? name : name + " " + Files.getAttribute(real, "unix:dev");
        } catch (IOException e) {
            // below no mount point that can be seen, as in a chroot
            return "device " + Files.getAttribute(real, "unix:dev");
        }
    }

    /** How much room is at a place that exists. Needs no mount point; of file systems that do not tell, it is taken as endless. */
    public static long freeBytes(Path place) {
        File file = place.toFile();
        return file.getTotalSpace() == 0 ? Long.MAX_VALUE : file.getUsableSpace();
    }

    /** @param missing part of the path, relative to the existing part; an absolute path if nothing is missing */
    private static String problem(Path existing, Path missing, int foldersMade) {
        if (!missing.isAbsolute() && !Files.isDirectory(existing)) {
            return existing + " is not a folder";
        }
        if (!missing.isAbsolute() && missing.getNameCount() > foldersMade) {
            return "there is no folder " + existing.resolve(missing.getName(0)) + "; make it first";
        }
        return Files.isWritable(existing) ? "" : existing + " cannot be written to";
    }

    /** The same, which can't be written to for this reason. */
    public DestinationInfo withProblem(String reason) {
        return new DestinationInfo(host, path, fileKey, store, freeBytes, keptBytes, reason);
    }

    /** The same, with so much of the room not to be used. */
    public DestinationInfo keeping(long bytes) {
        return new DestinationInfo(host, path, fileKey, store, Math.max(0, freeBytes - bytes), bytes, problem);
    }

    /** The same when there is so much room in all, a part of which may have to stay free. */
    public DestinationInfo withFreeBytes(long bytes) {
        return new DestinationInfo(host, path, fileKey, store, bytes, 0, problem).keeping(keptBytes);
    }

    /** Of all nodes, by rank. Compressed, since those of some thousands are more than a call carries, and are much alike. */
    public static byte[] toBytes(List<DestinationInfo> places) {
        return Fields.write(out -> {
            try (DataOutputStream packed = new DataOutputStream(new DeflaterOutputStream(out))) {
                Fields.writeAll(packed, places, (to, place) -> place.write(to));
            }
        });
    }

    /** What {@link #toBytes(List)} made. */
    public static List<DestinationInfo> listFromBytes(byte[] bytes) {
        return Fields.read(
                bytes,
                "the places of nodes",
                in -> Fields.readAll(new DataInputStream(new InflaterInputStream(in)), DestinationInfo::read));
    }

    public byte[] toBytes() {
        return Fields.write(this::write);
    }

    public static DestinationInfo fromBytes(byte[] bytes) {
        return Fields.read(bytes, "a node's place", DestinationInfo::read);
    }

    private void write(DataOutputStream out) throws IOException {
        out.writeUTF(host);
        out.writeUTF(path);
        out.writeUTF(fileKey);
        out.writeUTF(store);
        out.writeLong(freeBytes);
        out.writeLong(keptBytes);
        out.writeUTF(problem);
    }

    private static DestinationInfo read(DataInputStream in) throws IOException {
        return new DestinationInfo(
                in.readUTF(), in.readUTF(), in.readUTF(), in.readUTF(), in.readLong(), in.readLong(), in.readUTF());
    }
}
