package org.robber.core.driver;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExpectedAnswersTest {
    private static final int PIECE = 3;
    private static final int PEER = 7;
    private static final int OTHER = 8;

    private final ExpectedAnswers<ExpectedAnswer> answers = new ExpectedAnswers<>(ExpectedAnswer::new);

    private boolean isTaken(int piece, int fromRank) {
        ExpectedAnswer answer = answers.find(piece, fromRank);
        return answer != null && !answer.isReceived();
    }

    private void hear(int piece, int fromRank) {
        answers.remove(requireNonNull(answers.find(piece, fromRank)));
    }

    @Test
    void onlyTheRequestedPieceOfTheRequestedPeerIsTakenAndOnce() {
        answers.requested(PIECE, PEER);

        assertThat(isTaken(PIECE, OTHER)).isFalse();
        assertThat(isTaken(PIECE + 1, PEER)).isFalse();
        assertThat(isTaken(PIECE, PEER)).isTrue();

        answers.received(requireNonNull(answers.find(PIECE, PEER)));
        assertThat(isTaken(PIECE, PEER)).isFalse();
        hear(PIECE, PEER);
        assertThat(answers.find(PIECE, PEER)).isNull();
    }

    @Test
    void theAnswerToACancelledRequestIsTakenButNotOutstanding() {
        answers.requested(PIECE, PEER);
        answers.cancelled(PIECE, PEER);

        assertThat(isTaken(PIECE, PEER)).isTrue();
        assertThat(answers.outstandingAt(PEER)).isZero();
        assertThat(answers.outstandingFor(PIECE)).isZero();
        hear(PIECE, PEER);
        assertThat(answers.outstandingAt(PEER)).isZero();
    }

    /** The peer answers twice if the cancel crosses the first answer. The machine has one request, so the second answer is not taken. */
    @Test
    void aRequestThatIsRepeatedAfterACancelHasOneAnswer() {
        answers.requested(PIECE, PEER);
        answers.cancelled(PIECE, PEER);
        answers.requested(PIECE, PEER);

        assertThat(answers.of(PIECE)).hasSize(1);
        assertThat(answers.outstandingAt(PEER)).isOne();
        answers.received(requireNonNull(answers.find(PIECE, PEER)));
        hear(PIECE, PEER);
        assertThat(answers.outstandingAt(PEER)).isZero();
        assertThat(isTaken(PIECE, PEER)).isFalse();
    }

    /** The machine takes the answer that it has not heard of for that to its new request. */
    @Test
    void aRequestThatIsRepeatedBeforeItsAnswerIsHeardIsAnswered() {
        answers.requested(PIECE, PEER);
        answers.cancelled(PIECE, PEER);
        answers.received(requireNonNull(answers.find(PIECE, PEER)));
        answers.requested(PIECE, PEER);

        assertThat(isTaken(PIECE, PEER)).isFalse();
        assertThat(answers.outstandingAt(PEER)).isZero();
        hear(PIECE, PEER);
        assertThat(answers.find(PIECE, PEER)).isNull();
    }

    @Test
    void requestsAreCountedByPeerAndByPiece() {
        answers.requested(PIECE, PEER);
        answers.requested(PIECE, PEER);
        answers.requested(PIECE, OTHER);
        answers.requested(PIECE + 1, PEER);

        assertThat(answers.outstandingAt(PEER)).isEqualTo(2);
        assertThat(answers.outstandingFor(PIECE)).isEqualTo(2);
        assertThat(answers.outstanding()).hasSize(3);

        assertThat(answers.removeIf(answer -> answer.fromRank() == PEER)).hasSize(2);
        assertThat(answers.outstandingAt(PEER)).isZero();
        assertThat(answers.outstandingFor(PIECE)).isOne();
    }
}
