package org.robber.cli.doctor;

import java.nio.file.Path;
import java.util.List;
import org.robber.cli.progress.ByteText;

/**
 * Whether a folder can take what a transfer brings, as fast as it comes.
 *
 * @param dataBytes that will come; 0 if this is not known
 * @param files that will come; 0 if this is not known
 */
record DestinationCheckup(Line line, long dataBytes, long files) {

    /**
     * What a file system tells of itself, and how fast it is.
     *
     * @param problem why nothing can be written there; empty if it can
     * @param freeFiles how many files can be made; -1 if it has no limit or does not tell
     * @param bytesWritten in the trial; 0 if there was none
     */
    record Disk(String problem, long freeBytes, long freeFiles, long bytesWritten, double secondsWritten) {}

    /** Looks at a folder. */
    interface DiskProbe {
        Disk look(Path folder);
    }

    List<Finding> findings(Path destination, DiskProbe probe) {
        Disk disk = probe.look(destination);
        if (!disk.problem.isEmpty()) {
            return List.of(Finding.holdsBack(
                    "destination", disk.problem, "a node here ends with 6", "another DEST, or mend this one"));
        }
        return List.of(space(destination, disk), freeFiles(destination, disk), writeRate(disk));
    }

    private Finding space(Path destination, Disk disk) {
        String check = "free-space";
        if (disk.freeBytes == Long.MAX_VALUE) {
            return Finding.unknown(check, "the file system of " + destination + " does not tell its size");
        }
        String found = ByteText.bytes(disk.freeBytes) + " are free in " + destination;
        return disk.freeBytes > 0 && disk.freeBytes >= dataBytes
                ? Finding.good(check, found)
                : Finding.holdsBack(
                        check,
                        found,
                        dataBytes == 0 ? "a node here ends with 6" : "the data need " + ByteText.bytes(dataBytes),
                        "remove files, or use another DEST");
    }

    private Finding freeFiles(Path destination, Disk disk) {
        String check = "free-inodes";
        if (disk.freeFiles < 0) {
            return Finding.unknown(check, "the file system of " + destination + " does not tell");
        }
        String found = disk.freeFiles + " more files fit into " + destination;
        return disk.freeFiles > files
                ? Finding.good(check, found)
                : Finding.holdsBack(
                        check,
                        found,
                        files == 0 ? "a node here ends with 6" : "the data have " + files + " files",
                        "remove files, or use a file system with more inodes");
    }

    private Finding writeRate(Disk disk) {
        String check = "write-rate";
        if (disk.bytesWritten == 0) {
            return Finding.unknown(check, "too little space for a trial");
        }
        double rate = disk.bytesWritten / Math.max(1e-9, disk.secondsWritten);
        String found = ByteText.bytes(disk.bytesWritten) + " were on the disk after a trial at " + Line.bits(rate);
        return rate >= line.bytesPerSecond()
                ? Finding.good(check, found)
                : Finding.holdsBack(
                        check,
                        found,
                        "the line has " + line.bandwidth() + "; data that do not fit into memory wait for the disk",
                        "a DEST on a faster disk");
    }
}
