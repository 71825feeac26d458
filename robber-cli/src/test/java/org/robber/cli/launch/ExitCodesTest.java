package org.robber.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.RobberException.Reason;

class ExitCodesTest {

    @Test
    void nothingWrongIsZero() {
        assertThat(ExitCodes.mostTelling(List.of())).isZero();
        assertThat(ExitCodes.mostTelling(List.of(0, 0, 0))).isZero();
    }

    @Test
    void causesTellMoreThanConsequences() {
        assertThat(ExitCodes.mostTelling(List.of(5, 6, 5, 0))).isEqualTo(6);
        assertThat(ExitCodes.mostTelling(List.of(23, 24, 5))).isEqualTo(24);
        assertThat(ExitCodes.mostTelling(List.of(4, 8, 4))).isEqualTo(8);
        assertThat(ExitCodes.mostTelling(List.of(0, 5))).isEqualTo(5);
        assertThat(ExitCodes.mostTelling(List.of(0, 130))).isEqualTo(130);
    }

    @Test
    void unknownCodesCountAsInternalErrors() {
        assertThat(ExitCodes.rankOf(99)).isEqualTo(ExitCodes.rankOf(1));
    }

    @Test
    void everyReasonHasItsPlace() {
        for (Reason reason : Reason.values()) {
            assertThat(ExitCodes.rankOf(reason.exitCode())).as("%s", reason).isNotNegative();
        }
    }
}
