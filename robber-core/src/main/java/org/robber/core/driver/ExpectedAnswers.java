package org.robber.core.driver;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which answer belongs to which request of a node. A driver takes a piece only from a peer that the node has requested it from, and
 * passes each answer to the machine once.
 *
 * <p>A cancel may cross its answer, so the answer to a cancelled request is taken too. If the node requests the piece of the same peer
 * again before that answer was removed, the first answer that comes belongs to both requests. A later one is not taken. The machine
 * counts in the same way: it has one request, and the first answer ends it.
 *
 * <p>Not thread-safe.
 *
 * @param <A> what the driver keeps for each answer
 */
public final class ExpectedAnswers<A extends ExpectedAnswer> {
    /** Makes the driver's own kind of answer. */
    public interface Maker<A> {
        /** An answer that is due from now on. */
        A make(int piece, int fromRank);
    }

    private final Maker<A> maker;
    private final Map<Integer, List<A>> byPiece = new HashMap<>();

    /** Each peer as often as it has outstanding requests. */
    private final Multiset<Integer> outstanding = HashMultiset.create();

    /** No request was sent. */
    public ExpectedAnswers(Maker<A> maker) {
        this.maker = maker;
    }

    /** A request was sent; returns its answer, which is that to a cancelled request if one is under way. */
    public A requested(int piece, int fromRank) {
        A answer = find(piece, fromRank);
        if (answer == null) {
            answer = maker.make(piece, fromRank);
            byPiece.computeIfAbsent(piece, first -> new ArrayList<>(1)).add(answer);
            outstanding.add(fromRank);
        } else if (answer.isCancelled) {
            answer.isCancelled = false;
            count(answer, 1);
        }
        return answer;
    }

    /** The request was cancelled; its answer may come all the same. */
    public void cancelled(int piece, int fromRank) {
        A answer = find(piece, fromRank);
        if (answer != null) {
            count(answer, -1);
            answer.isCancelled = true;
        }
    }

    /** All of an answer that is here has come. It stays until it is removed. */
    public void received(A answer) {
        count(answer, -1);
        answer.isReceived = true;
    }

    private void count(A answer, int change) {
        if (answer.isOutstanding()) {
            outstanding.setCount(answer.fromRank(), outstanding.count(answer.fromRank()) + change);
        }
    }

    /** The answer that the peer owes, or that came and was not removed; null if none is taken. */
    public @Nullable A find(int piece, int fromRank) {
        for (A answer : of(piece)) {
            if (answer.fromRank() == fromRank) {
                return answer;
            }
        }
        return null;
    }

    /** The answers for the piece, one for each peer. The list changes with the requests. */
    public List<A> of(int piece) {
        return byPiece.getOrDefault(piece, List.of());
    }

    /** Whether the answer was not removed. */
    public boolean contains(A answer) {
        return of(answer.piece()).contains(answer);
    }

    /** How many requests at the peer are neither answered nor cancelled. */
    public int outstandingAt(int peer) {
        return outstanding.count(peer);
    }

    /** How many requests for the piece are neither answered nor cancelled. */
    public int outstandingFor(int piece) {
        int count = 0;
        for (A answer : of(piece)) {
            count += answer.isOutstanding() ? 1 : 0;
        }
        return count;
    }

    /** The answers that are neither received nor those of cancelled requests, in no order. */
    public Stream<A> outstanding() {
        return byPiece.values().stream().flatMap(List::stream).filter(ExpectedAnswer::isOutstanding);
    }

    /** Removes an answer, if it is here: nothing more is taken for its request. */
    public void remove(A answer) {
        List<A> all = byPiece.get(answer.piece());
        if (all != null && all.remove(answer)) {
            count(answer, -1);
            if (all.isEmpty()) {
                byPiece.remove(answer.piece());
            }
        }
    }

    /** Removes and returns all such answers. */
    public List<A> removeIf(Predicate<? super A> condition) {
        List<A> removed = new ArrayList<>();
        byPiece.values().forEach(all -> all.stream().filter(condition).forEach(removed::add));
        removed.forEach(this::remove);
        return removed;
    }
}
