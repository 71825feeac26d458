package org.robber.core.tuning;

/**
 * All tuned numbers of Robber, in one place. None of them is a setting for users: each was chosen over many simulated scenarios and seeds,
 * and {@code docs/lab/algorithm-experiments.md} keeps the figures. Numbers of the paper have {@code PUBLISHED} in their names and
 * stand where they
 * are used.
 */
public final class Tuning {

    // Size of a piece

    /** Bytes of the smallest piece that is chosen automatically. A smaller one costs more messages than it gains. */
    public static final int SMALLEST_PIECE_BYTES = 1 << 15;

    /** Bytes of the largest piece that is chosen automatically. */
    public static final int LARGEST_PIECE_BYTES = 1 << 22;

    /** Pieces up to this many bytes are chosen as long as there are more than {@link #FEW_PIECES} of them. */
    public static final int LARGEST_PIECE_BYTES_FOR_FEW = 1 << 19;

    /** This many pieces spread well inside one cluster. */
    public static final int FEW_PIECES = 512;

    /** With more pieces than this, pieces become larger than {@link #LARGEST_PIECE_BYTES_FOR_FEW}. */
    public static final int MANY_PIECES = 4096;

    /**
     * Pieces for each line into a cluster, at least; up to twice as many where a power of two must be chosen. Then the wait for the last
     * piece of a line costs less than a hundredth of the time. With fewer, test case 1 loses 1 to 3 points of its bound where rates
     * change; with 800 or more it loses 2 to 5, since requests are limited by their number.
     */
    public static final int PIECES_PER_LINE = 256;

    /** Pieces where all nodes are on one machine: no line is waited for, and each piece costs processor time. */
    public static final int PIECES_INSIDE_MACHINE = 64;

    // Gateways

    /** Pieces for each connection of a gateway. With 4 clusters of 64 nodes: flat above 100, 2 points worse at 68, 5 at 32. */
    public static final int PIECES_PER_GATEWAY_LINE = 128;

    /** Gateways that a cluster has at least: one may be slow or lost. */
    public static final int FEWEST_GATEWAYS = 2;

    /** A node is late when it needs so many times as long as its cluster: nodes of equal cards never are. */
    public static final long LATE_FACTOR = 2;

    /** No node is late before its cluster possesses this part of the data: until then, rates differ by chance. */
    public static final int PIECES_PER_FIRST_LOOK = 8;

    // Work stealing

    /** A node compares its work with a mate's about so often in a transfer. */
    public static final int LEVELLINGS = 128;

    /**
     * Pieces that a node steals outside at least between two comparisons, and that its mate must have stolen. If the mate need have none, chance gives one gateway
     * nearly all work, and 32 clusters of 32 nodes lose 3 points.
     */
    public static final int FEWEST_PIECES_PER_LEVELLING = 12;

    /** A victim gives nothing away when the unevenness is below this part of its work: each change costs desires to all peers. */
    public static final int WORK_PER_UNEVENNESS = 8;

    // Relays

    /** Pieces that a node entrusts at most to one relay from one cluster, until some of them have come. */
    public static final int LARGEST_RELAY_WINDOW = 16;

    /** A relay gets at most this part of what is left of a line, so that the last pieces wait for no slow path. */
    public static final int WORK_PER_RELAY = 16;

    /** A mate brings pieces past a slow card if it needs at most such a part of the time of a direct answer. With 3, a card of 11 MB/s is not passed by. */
    public static final int RELAY_ADVANTAGE = 2;

    /** In reductions a line relays pieces of lines that have more than so many times its load. With 2, reduce gains a point and allReduce sends more copies; with 8, the reverse. */
    public static final int LOAD_RATIO_FOR_RELAY = 4;

    /** A node requests inputs of so many products at a time if some come from other clusters. With 12, fast lines lose up to 9 points; with 48, slow lines lose up to 3. */
    public static final int OPEN_PRODUCTS = 24;

    /**
     * A node requests inputs of so many products at a time if all come from mates. With fewer, a node waits for round trips inside its cluster. With more, and where processors
     * are busy, pieces for other clusters wait behind inputs.
     */
    public static final int OPEN_PRODUCTS_OF_MATES = 6;

    /** Of so many requests to other clusters one is for the sake of relays. Between 2 and 4, results hardly differ. */
    public static final int REQUESTS_PER_RELAYED = 4;

    // Requests

    /** Requests outstanding at least at a peer outside. With one, a line would be silent for a round trip after each piece. */
    public static final int SMALLEST_REQUEST_WINDOW = 2;

    /**
     * The same on a slow line whose peer is done, if mates share the line: their pieces come meanwhile. A second request would only wait
     * at the peer, while another cluster asks elsewhere for the same piece. Large pieces come far apart on a fast line, too; it keeps its window.
     */
    public static final int SMALLEST_WINDOW_OF_SLOW_LINE = 1;

    /** Mates that make {@link #SMALLEST_WINDOW_OF_SLOW_LINE} apply. */
    public static final int FEWEST_MATES_THAT_SHARE_A_LINE = 3;

    /**
     * Requests that the members of a cluster may have together on a line, for each node at its other end, where nodes want different pieces. All members that
     * use lines have equal shares, of at least {@link #SMALLEST_REQUEST_WINDOW}. With 2, allToAll of 64 MB loses up to 2.4 points of its bound.
     */
    public static final int LINE_REQUESTS_PER_PEER = 3;

    /**
     * A line is crowded if answers take so many times as long as the shortest one. One request suffices there in the end, and more pieces stay open to other lines. With 1.5, 16 clusters of
     * 16 nodes lose 6 %; with 4, half of the gain is lost.
     */
    public static final double ANSWERS_OF_CROWDED_LINE = 2.5;

    /**
     * When little is left, requests may cover so many times the shortest answer. With 1, each answer that takes longer leaves a smaller number for ever. With 1.5, allGather of 100 MB loses up
     * to 4 % where lines are short.
     */
    public static final double SHORTEST_ANSWERS_COVERED = 1.25;

    /** Requests outstanding at most at a peer: more than any line needs, and few enough to search. */
    public static final int LARGEST_REQUEST_WINDOW = 64;

    /** Windows larger than published take together no more than this part of what may be asked. */
    public static final int WORK_PER_REQUEST = 8;

    // Rate of a line

    /** Means are of about so many answers: they come in bursts, so fewer would follow mere noise. */
    public static final int ANSWERS_PER_MEAN = 16;

    /**
     * The number of pieces on the way is a mean over this part of the pieces that have begun to come, the latest ones. A mean over all of them lags behind the start of a connection:
     * 100 MB over 1 Gbit/s and 100 ms take 11 to 15 % longer.
     */
    public static final int BEGUN_PER_MEAN = 4;

    /** Work, as time, that waits at a peer beyond what the line needs. It bridges the wait for a processor. */
    public static final long SLACK_NANOS = 150_000_000;

    /**
     * The slack is at most so many times the shortest answer. On lines whose answers take no time, larger windows would only take
     * processor time
     * from lines that carry more.
     */
    public static final int SLACK_PER_ANSWER = 2;

    /** The slack is at most this part of the time since the first request, since a transfer may be short. */
    public static final int AGE_PER_SLACK = 16;

    /**
     * A line is fast if it carries at least so much. Requests on it wait behind pieces of the other direction, so the peer says how many
     * wait, and {@link #WAITING_REQUESTS} are kept there. Without that, of two full directions one stayed at half of its capacity. On slower lines, more waiting requests mean
     * more duplicates between clusters.
     */
    public static final double FAST_LINE_BYTES_PER_SECOND = 640 * 1024;

    /** Requests that are kept waiting at the peer of a fast line. With one, short transfers lose up to 8 points of their bound; with 3, some lose 1. */
    public static final double WAITING_REQUESTS = 2;

    /**
     * If fewer requests wait at the peer of a fast line, in the mean, they hold the line back. A connection doubles what is on its way with each round trip at its start, so requests
     * double, too. With 2, nodes with slow cards take too many.
     */
    public static final double HARDLY_ANY_WAITING = 0.5;

    /**
     * Requests do not double for so many bytes on the way. That is less than long and fast lines hold, and more than others. With a number of pieces in place of bytes, test case 1 loses
     * up to 5 % in single runs.
     */
    public static final double BYTES_NOT_DOUBLED = 1 << 21;

    /** A line is slow if its pieces come at least so far apart: more than a round trip between most places. */
    public static final double SLOW_LINE_DISTANCE_NANOS = 250_000_000;

    // Failures

    /** How long orphaned work is waited for where no answer from another cluster was measured. */
    public static final long UNMEASURED_ORPHAN_WAIT_NANOS = 1_000_000_000L;

    /** The least wait for orphaned work: announcements need some time to reach the whole cluster. */
    public static final long SHORTEST_ORPHAN_WAIT_NANOS = 250_000_000L;

    /** The longest wait for orphaned work: well below the time after which a job without progress is ended. */
    public static final long LONGEST_ORPHAN_WAIT_NANOS = 10_000_000_000L;

    /** A successor looks so many times in each quiet period, so it takes over at most a quarter of one late. With one look, deaths with 100 MB cost a fifth more. */
    public static final int LOOKS_PER_QUIET_PERIOD = 4;

    /** How long a cluster mate has to come back: well above what a connection needs to be made again, and well below the time of a stall. */
    public static final long MATE_RETURN_NANOS = 10_000_000_000L;

    /** A node reports missing pieces after so long without progress: longer than an announcement takes through a cluster. */
    public static final long NO_PROGRESS_NANOS = 2_000_000_000L;

    /** Verified pieces that make up for a corrupt one. */
    public static final int VERIFIED_PER_CORRUPT = 4;

    /** Corrupt pieces that are forgiven at first. */
    public static final int FORGIVEN_AT_FIRST = 2;

    /** Corrupt pieces in a row that are forgiven to a peer that was good for long. */
    public static final int FORGIVEN_AT_MOST = 8;

    /** Refusals in a row that cost a peer its connection: more than it can have to refuse for a good reason. */
    public static final int MOST_REFUSALS = 100;

    private Tuning() {}
}
