package org.robber.emulation.testbed.program;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.robber.emulation.testbed.sandbox.TestbedException;

/** Bytes that every node has received, as its router's device towards it counts them. */
public final class ReceivedByteCounters {

    private final ImmutableList<Path> files;

    /**
     * @param files the counter of each node, by rank
     */
    public ReceivedByteCounters(List<Path> files) {
        this.files = ImmutableList.copyOf(files);
    }

    /** Bytes that each node has received so far, headers included, by rank. */
    public List<Long> receivedBytes() {
        try {
            List<Long> bytes = new ArrayList<>();
            for (Path file : files) {
                String text = new String(Files.readAllBytes(file), StandardCharsets.US_ASCII);
                bytes.add(Long.parseLong(text.strip()));
            }
            return bytes;
        } catch (IOException e) {
            throw new TestbedException("the network of a node is gone: " + e.getMessage(), e);
        }
    }
}
