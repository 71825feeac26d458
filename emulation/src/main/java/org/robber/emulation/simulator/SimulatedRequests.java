package org.robber.emulation.simulator;

import java.util.Comparator;
import java.util.Optional;
import org.robber.core.driver.ExpectedAnswer;
import org.robber.core.driver.ExpectedAnswers;
import org.robber.core.node.StrategyLimits;
import org.robber.emulation.simulator.checker.InvariantViolationException;

/** The requests of a node, with their times. Checks that the strategy keeps its limits. */
final class SimulatedRequests {
    private final StrategyLimits limits;
    private final ExpectedAnswers<Request> answers = new ExpectedAnswers<>(Request::new);

    /** A request, by its answer. */
    static final class Request extends ExpectedAnswer {
        private long sinceNanos;

        private Request(int piece, int fromRank) {
            super(piece, fromRank);
        }

        long sinceNanos() {
            return sinceNanos;
        }
    }

    SimulatedRequests(StrategyLimits limits) {
        this.limits = limits;
    }

    void requested(int piece, int peer, long nowNanos) {
        Request earlier = answers.find(piece, peer);
        if (earlier != null && earlier.isOutstanding()) {
            throw new InvariantViolationException("requests piece " + piece + " twice of one peer");
        }
        answers.requested(piece, peer).sinceNanos = nowNanos;
        if (answers.outstandingAt(peer) > limits.requestsPerPeer()) {
            throw new InvariantViolationException(
                    "has " + answers.outstandingAt(peer) + " requests outstanding at one peer");
        }
        if (answers.outstandingFor(piece) > limits.requestsPerPiece()) {
            throw new InvariantViolationException(
                    "requests piece " + piece + " of " + answers.outstandingFor(piece) + " peers");
        }
    }

    void cancelled(int piece, int peer) {
        answers.cancelled(piece, peer);
    }

    /** The peer has answered; returns whether the answer is taken. */
    boolean received(int piece, int peer) {
        Request request = answers.find(piece, peer);
        if (request == null || request.isReceived()) {
            return false;
        }
        answers.received(request);
        return true;
    }

    /** The machine hears of an answer. */
    void heard(int piece, int peer) {
        Request request = answers.find(piece, peer);
        if (request != null && request.isReceived()) {
            answers.remove(request);
        }
    }

    /** The peer will answer nothing more. */
    void lost(int peer) {
        answers.removeIf(request -> request.fromRank() == peer);
    }

    /** The first of the requests that are neither answered nor cancelled. */
    Optional<Request> oldest() {
        return answers.outstanding().min(Comparator.comparingLong(Request::sinceNanos));
    }
}
