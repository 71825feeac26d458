package org.robber.cli;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.Communicator;
import org.robber.JobControl;
import org.robber.MulticastChannel;
import org.robber.RobberException;

/** Nodes that can be named, but not talked to: rank 0 of clusters A, B, ... of equal size. */
public record FakeWorld(int clusterCount, int nodesPerCluster) implements Communicator {

    @Override
    public int rank() {
        return 0;
    }

    @Override
    public int size() {
        return clusterCount * nodesPerCluster;
    }

    @Override
    public List<String> clusters() {
        List<String> names = new ArrayList<>();
        for (int cluster = 0; cluster < clusterCount; cluster++) {
            names.add(String.valueOf((char) ('A' + cluster)));
        }
        return names;
    }

    @Override
    public int clusterOf(int rank) {
        return rank / nodesPerCluster;
    }

    @Override
    public String nodeName(int rank) {
        return clusters().get(clusterOf(rank)) + "-" + rank % nodesPerCluster;
    }

    @Override
    public String hostName(int rank) {
        return "host" + rank;
    }

    @Override
    public int automaticPieceBytes(long totalBytes) {
        return 1 << 20;
    }

    @Override
    public void barrier() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<Integer, RobberException> lost() {
        return Map.of();
    }

    @Override
    public void onLost(BiConsumer<Integer, RobberException> listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<byte[]> gather(byte[] payload) {
        throw new UnsupportedOperationException();
    }

    @Override
    public byte[] broadcast(byte[] payload) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void bcast(ByteBuffer data, int... roots) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void allGather(ByteBuffer part, ByteBuffer all) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void gather(ByteBuffer part, @Nullable ByteBuffer all, int root) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void scatter(@Nullable ByteBuffer all, ByteBuffer part, int root) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void allToAll(ByteBuffer out, ByteBuffer in) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MulticastChannel multicastChannel(ChannelOptions options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void fail(RobberException failure) {
        throw new UnsupportedOperationException();
    }

    @Override
    public JobControl control() {
        throw new UnsupportedOperationException();
    }
}
