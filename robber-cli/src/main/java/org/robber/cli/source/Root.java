package org.robber.cli.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.cli.destination.DestinationChecks;
import org.robber.cli.filter.Selection;
import org.robber.cli.filter.SourceFilter;
import org.robber.cli.report.JobReport.Skipped;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.manifest.DigestTable;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestCodec;
import org.robber.transport.memory.AlignedMemory;
import org.robber.transport.storage.copy.TreeTarget;
import org.robber.transport.storage.file.EntryFilter;
import org.robber.transport.storage.source.MirroringSource;
import org.robber.transport.storage.source.ScannedTree;
import org.robber.transport.storage.source.TreeScanner;
import org.robber.transport.storage.source.TreeSource;

/** The source at the node that has it, which reads it once, for all others and for its own copy. */
public final class Root {

    private final List<String> sources;
    private final String part;
    private final ScannedTree scanned;
    private final byte[] encodedManifest;
    private final List<Skipped> missing;
    private final List<String> rules;

    private TreeSource storage;
    private @Nullable MirroringSource mirror;
    private boolean keepsSource;

    /**
     * @param part tells the parts of a source apart that several nodes have; else empty
     * @param missing what should have been copied, and is not in the source
     * @param rules of what was left out
     */
    private Root(List<String> sources, String part, ScannedTree scanned, List<Skipped> missing, List<String> rules) {
        this.sources = List.copyOf(sources);
        this.part = part;
        this.scanned = scanned;
        this.missing = missing;
        this.rules = rules;
        this.encodedManifest = ManifestCodec.encode(scanned.manifest());
        this.storage = new TreeSource(scanned);
    }

    /**
     * Looks at the sources.
     *
     * @param part tells the parts of a source apart that several nodes have; else empty
     * @throws org.robber.RobberException if one is missing or can't be read, or nothing is selected
     */
    public static Root scan(List<String> sources, Selection selection, String part) {
        if (selection.isAll()) {
            return new Root(sources, part, TreeScanner.scan(sources, EntryFilter.ALL), List.of(), List.of());
        }
        SourceFilter filter = new SourceFilter(selection);
        ScannedTree tree = TreeScanner.scan(sources, filter);
        List<Skipped> missing = filter.missing().stream()
                .map(path -> new Skipped(path, "listed by --files-from, but not in the source"))
                .toList();
        if (!hasData(tree.manifest())) {
            throw new RobberException(
                    Reason.SOURCE,
                    List.of(),
                    "scan",
                    "no file of " + String.join(" ", sources)
                            + " passes the filters: look at --include, --exclude, --exclude-from and"
                            + " --files-from"
                            + (missing.isEmpty() ? "" : "; " + missing.get(0).path() + " does not exist"));
        }
        return new Root(sources, part, tree, missing, filter.rules());
    }

    /** Whether there is anything but directories. */
    private static boolean hasData(Manifest manifest) {
        for (int entry = 0; entry < manifest.entryCount(); entry++) {
            if (manifest.kind(entry) != EntryKind.DIRECTORY) {
                return true;
            }
        }
        return false;
    }

    /** The manifest of all that is copied. */
    public Manifest manifest() {
        return scanned.manifest();
    }

    /** The manifest as nodes get it. */
    public byte[] encodedManifest() {
        return encodedManifest;
    }

    /** Leaves out files that all nodes have: they are not read. */
    public void leaveOut(BitSet files) {
        storage = new TreeSource(scanned.without(files));
    }

    /** The entries of the source that cannot be copied. */
    List<Skipped> skipped() {
        return Stream.concat(
                        scanned.skipped().stream().map(one -> new Skipped(one.path(), one.reason())), missing.stream())
                .toList();
    }

    /**
     * What all nodes need to know of the source.
     *
     * @param deletes whether they remove what the source does not have
     * @throws RobberException with {@code USAGE} if the rules are too long for that
     */
    public SourceInfo facts(boolean deletes) {
        int rulesBytes = rules.stream()
                .mapToInt(rule -> rule.getBytes(StandardCharsets.UTF_8).length + 1)
                .sum();
        if (deletes && rulesBytes > SourceInfo.MOST_RULES_BYTES) {
            throw new RobberException(
                    Reason.USAGE, List.of(), "scan", "the patterns are too long for --delete: use fewer of them");
        }
        return new SourceInfo(copyKey(), encodedManifest.length, skipped().isEmpty(), deletes ? rules : List.of());
    }

    /** What half-written copies of these sources are known by, whatever is in them. */
    String copyKey() {
        String identity = sources.stream()
                .map(source ->
                        Path.of(source).toAbsolutePath().normalize() + (TreeScanner.meansContents(source) ? "/" : ""))
                .collect(Collectors.joining("\n", part, ""));
        byte[] digest = PieceHashers.named("sha256").hash(ByteBuffer.wrap(identity.getBytes(StandardCharsets.UTF_8)));
        return HexFormat.of().formatHex(digest, 0, 8);
    }

    /** The figures of the source, for reports. */
    public SourceSummary summary() {
        return new SourceSummary(
                sources.stream().map(Root::absolute).toList(),
                manifest().totalBytes(),
                manifest().entryCount(),
                SourceSummary.files(manifest()),
                skipped());
    }

    private static String absolute(String source) {
        String path = Path.of(source).toAbsolutePath().normalize().toString();
        return TreeScanner.meansContents(source) && !path.endsWith("/") ? path + "/" : path;
    }

    /** The destination whose copy would be the first source itself. */
    public String place() {
        String source = sources.get(0);
        if (TreeScanner.meansContents(source)) {
            return source;
        }
        Path parent = Path.of(source).getParent();
        return parent == null ? "." : parent.toString();
    }

    /**
     * Looks whether the copy of this node would take the place of the source itself: then the source is its copy.
     *
     * @param isNone whether this node has no destination of its own
     * @throws RobberException with {@code USAGE} if it would take the place of some of the sources only, or of a part of what several nodes have
     */
    public void keepSourceIfAt(String destination, boolean isNone) {
        List<String> inPlace = sources.stream()
                .filter(source -> DestinationChecks.isSource(source, destination))
                .toList();
        keepsSource = isNone || inPlace.size() == sources.size();
        if (!keepsSource && !inPlace.isEmpty()) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(),
                    "prepare",
                    "the copy of " + inPlace.get(0) + " would be the source itself, and other sources are not there:"
                            + " choose another DEST");
        }
        if (keepsSource && !part.isEmpty()) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(),
                    "prepare",
                    "the parts of the others would come to " + destination + ", where the part " + sources.get(0)
                            + " is: choose a DEST apart from SRC");
        }
    }

    /** Whether this node writes no copy. */
    public boolean keepsSource() {
        return keepsSource;
    }

    /** The digests of all pieces. Reads the whole source. */
    public DigestTable digests(PieceLayout layout, String digest) throws IOException {
        PieceHasher hasher = PieceHashers.named(digest);
        DigestTable digests = new DigestTable(layout.pieceCount(), hasher.digestBytes());
        ByteBuffer buffer = AlignedMemory.allocateDirect((int) Math.min(layout.pieceBytes(), layout.totalBytes()));
        for (int piece = 0; piece < layout.pieceCount(); piece++) {
            storage.read(layout.offsetBytes(piece), buffer.clear().limit(layout.lengthBytes(piece)));
            digests.set(piece, hasher.hash(buffer.flip()));
        }
        return digests;
    }

    /** The data to multicast; reading it fills the target, if there is one. */
    public Storage storage(@Nullable TreeTarget target, PieceLayout layout) {
        if (target == null) {
            return storage;
        }
        mirror = new MirroringSource(storage, target, layout);
        return mirror;
    }

    /**
     * Completes this node's own copy, and makes sure that the source was the same from the first byte to the last.
     *
     * @throws org.robber.RobberException if it has changed
     */
    public void finishAndVerify() throws IOException {
        if (mirror != null) {
            mirror.finish();
        }
        storage.verifyUnchanged();
        storage.close();
    }
}
