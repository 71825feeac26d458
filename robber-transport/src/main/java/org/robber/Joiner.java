package org.robber;

/**
 * A node that joins a job while a multicast goes on that its rank 0 lets be joined ({@link MulticastChannel#letJoin}): it gets the data
 * from nodes of its own cluster, as they get it, and has no other part in the job. If it fails or leaves, nothing happens to the others.
 * All calls from one thread, in the order {@link #receive}, {@link #awaitRelease}, {@link #tell}, {@link #close}; each wait
 * ends when the job does. All that fails is a {@link RobberException}.
 */
public interface Joiner extends AutoCloseable {

    /**
     * Joins; returns once there is something to join.
     *
     * @param options of which job, address, cluster, secret, encryption, limits of time and transport count
     * @throws RobberException if rank 0 can't be reached in time, or has nothing to give any more
     */
    static Joiner join(JobOptions options) {
        return Robber.transport(options.transport()).joinLate(options);
    }

    /** This node's rank, above those of all nodes that were there from the start. */
    int rank();

    /** The node as people see it: cluster and index in it, such as {@code B-3}. */
    String nodeName();

    /** The name of this node's cluster. */
    String clusterName();

    /** The number of this node's cluster, as {@link TransferStats} counts by clusters. */
    int clusterIndex();

    /** The host that this node runs on. */
    String hostName();

    /** The description of the data, from the application of rank 0. */
    byte[] description();

    /** Size of the data. */
    long totalBytes();

    /** Size of a piece of it. */
    int pieceBytes();

    /** The name of the digest that pieces are verified against. */
    String digest();

    /**
     * Gets the data: what the storage knows by {@link Storage#verifiedDigest} is not sent again. Returns once every piece is here,
     * verified against the digest that it travelled with.
     *
     * @param data of {@link #totalBytes}; not closed
     * @param memoryBytes budget for pieces on their way; four may always be there
     * @param requestWindow pieces asked of one node at a time, at least 1
     * @throws IllegalArgumentException if a piece is larger than the memory; thrown before anything is sent
     */
    void receive(Storage data, long memoryBytes, int requestWindow);

    /**
     * Waits until all nodes have everything and the job says that it may be used; compares the digest over all of it with that of
     * the root.
     */
    void awaitRelease();

    /**
     * Tells rank 0 what has become of it.
     *
     * @param result at most a MiB
     */
    void tell(byte[] result);

    /** Statistics of the transfer. */
    TransferStats stats();

    /** How much is here, verified or on its way. Any thread. */
    long bytesDone();

    /** This node can't go on: rank 0 is told why, and all waits end with this. Any thread. */
    void giveUp(RobberException why);

    /** Leaves the job. */
    @Override
    void close();
}
