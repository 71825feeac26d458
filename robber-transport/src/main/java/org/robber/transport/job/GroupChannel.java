package org.robber.transport.job;

import static com.google.common.base.Preconditions.checkState;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.robber.ChannelOptions;
import org.robber.Communicator;
import org.robber.MulticastChannel;
import org.robber.RobberException;
import org.robber.RootStripe;
import org.robber.Storage;
import org.robber.TransferStats;

/** A channel of some nodes: each multicast is a broadcast of a communicator of its own. */
final class GroupChannel implements MulticastChannel {
    private final NettyCommunicator nodes;
    private boolean open = true;

    /** Opens the channel, together with all other nodes of the group. */
    GroupChannel(NettyCommunicator parent, ChannelOptions options, int number) {
        this.nodes = parent.forChannel("open channel " + number, options);
        // They are counted for lastStats.
        nodes.usePiecesOnly();
    }

    private void checkOpen() {
        checkState(open, "the channel is closed");
    }

    @Override
    public void multicast(ByteBuffer data, int rootRank) {
        checkOpen();
        nodes.bcast(data, rootRank);
    }

    @Override
    public void multicast(Storage data, int rootRank) {
        checkOpen();
        nodes.bcast(data, rootRank);
    }

    @Override
    public Communicator communicator() {
        checkOpen();
        return nodes;
    }

    @Override
    public void resume(Storage data, int rootRank) {
        throw ofAllNodesOnly("resume");
    }

    @Override
    public void multicast(Storage data, List<RootStripe> stripes) {
        throw ofAllNodesOnly("a multicast from several roots");
    }

    @Override
    public void resume(Storage data, List<RootStripe> stripes) {
        throw ofAllNodesOnly("resume");
    }

    @Override
    public void letJoin(byte[] description) {
        throw ofAllNodesOnly("letJoin");
    }

    private static UnsupportedOperationException ofAllNodesOnly(String call) {
        return new UnsupportedOperationException(call + " needs a channel of all nodes of the job");
    }

    /** Of no effect: each broadcast returns when every node has everything. */
    @Override
    public void flush() {
        checkOpen();
    }

    /** None: a node that is lost ends the multicast. */
    @Override
    public Map<Integer, RobberException> missing() {
        return Map.of();
    }

    @Override
    public TransferStats lastStats() {
        return nodes.lastStats();
    }

    @Override
    public void close() {
        open = false;
        nodes.close();
    }
}
