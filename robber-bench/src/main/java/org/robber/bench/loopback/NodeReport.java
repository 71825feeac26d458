package org.robber.bench.loopback;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * The report of one process, written to a file when its bytes are checked.
 *
 * @param startedNanos time of day when it began to move bytes: all processes connected, files open, buffers allocated
 * @param openedNanos time of day when its channel was open; for plain copies the same
 * @param finishedNanos time of day when it had every byte, or had sent every byte
 * @param transferCpuNanos CPU time from there until all is over, connections closed
 * @param processCpuNanos CPU time from the start of the process until then, without making the data ready
 * @param receivedBytes bytes of data that it received and kept, or counted
 * @param receivedWanBytes those of them that came from other clusters
 * @param controlBytes bytes that it sent and that are not data
 * @param messages messages that it sent, heads of pieces among them
 * @param peakResidentBytes the most memory that was resident, before the check
 */
record NodeReport(
        long startedNanos,
        long openedNanos,
        long finishedNanos,
        long transferCpuNanos,
        long processCpuNanos,
        long receivedBytes,
        long receivedWanBytes,
        long controlBytes,
        long messages,
        long peakResidentBytes) {

    /** Writes the file, all at once. */
    void writeTo(Path file) throws IOException {
        List<Long> values = List.of(
                startedNanos,
                openedNanos,
                finishedNanos,
                transferCpuNanos,
                processCpuNanos,
                receivedBytes,
                receivedWanBytes,
                controlBytes,
                messages,
                peakResidentBytes);
        Path unfinished = file.resolveSibling(file.getFileName() + ".part");
        Files.write(unfinished, values.stream().map(String::valueOf).toList());
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Reads what {@link #writeTo} wrote. */
    static NodeReport readFrom(Path file) throws IOException {
        List<Long> values = Files.readAllLines(file).stream().map(Long::valueOf).toList();
        return new NodeReport(
                values.get(0),
                values.get(1),
                values.get(2),
                values.get(3),
                values.get(4),
                values.get(5),
                values.get(6),
                values.get(7),
                values.get(8),
                values.get(9));
    }
}
