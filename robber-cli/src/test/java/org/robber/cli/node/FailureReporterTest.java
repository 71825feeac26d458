package org.robber.cli.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.LocalJob;
import org.robber.Robber;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

class FailureReporterTest {
    /** As when memory, the stack or a class of a damaged installation is missing. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anErrorIsToldToTheOthersLikeAnyOtherFailure(boolean isStep) throws Exception {
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                RobberException failure = world.rank() == 0
                        ? catchThrowableOfType(
                                RobberException.class, () -> fails(new FailureReporter(world, () -> "scan"), isStep))
                        : catchThrowableOfType(
                                RobberException.class, () -> world.control().barrier());
                assertThat(failure.reason()).isEqualTo(Reason.INTERNAL);
                assertThat(failure.ranks()).containsExactly(0);
                assertThat(failure).hasMessageContainingAll("rank 0", "'scan'", "StackOverflowError");
            });
        }
    }

    private static void fails(FailureReporter reporter, boolean isStep) {
        if (isStep) {
            Object unused = reporter.here(Reason.SOURCE, () -> {
                throw new StackOverflowError();
            });
        } else {
            Object unused = reporter.orFail(() -> {
                throw new StackOverflowError();
            });
        }
    }
}
