package org.robber.core.node;

/** How fast an {@link InCoreNetwork} is. All times in nanoseconds. */
public interface Fabric {

    /** Time that a piece takes through the network card of a node, in or out. */
    long cardNanos(int rank);

    /** Time that a piece takes over the connection from one node to another. */
    long linkNanos(int fromRank, int toRank);

    /** Time until the first byte of anything is over the connection. */
    long latencyNanos(int fromRank, int toRank);

    /** Everything takes the same time. */
    static Fabric uniform(long pieceNanos, long latencyNanos) {
        return new Fabric() {
            @Override
            public long cardNanos(int rank) {
                return pieceNanos;
            }

            @Override
            public long linkNanos(int fromRank, int toRank) {
                return pieceNanos;
            }

            @Override
            public long latencyNanos(int fromRank, int toRank) {
                return latencyNanos;
            }
        };
    }
}
