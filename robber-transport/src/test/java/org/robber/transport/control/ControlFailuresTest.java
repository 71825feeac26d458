package org.robber.transport.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.control.ControlMessage.Fail;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.control.ControlMessage.Roster;

class ControlFailuresTest {

    @Test
    void ranksReadAsRanges() {
        assertThat(ControlFailures.ranks(List.of(3))).isEqualTo("rank 3");
        assertThat(ControlFailures.ranks(List.of(0, 2, 3, 4, 9))).isEqualTo("ranks 0, 2-4, 9");
        assertThat(ControlFailures.ranks(List.of(200, 201))).isEqualTo("ranks 200-201");
    }

    @Test
    void durationsReadAsSeconds() {
        assertThat(ControlFailures.seconds(Duration.ofMinutes(1))).isEqualTo("60 s");
        assertThat(ControlFailures.seconds(Duration.ofMillis(250))).isEqualTo("0.25 s");
    }

    @Test
    void nodesAreNamedByClusterAndIndex() {
        Member a = new Member("A", "here", 1, "127.0.0.1", 1);
        Member b = new Member("B", "there", 77, "127.0.0.1", 1);

        assertThat(ControlFailures.who(2, new Roster(1, ImmutableList.of(a, b, b))))
                .isEqualTo("node B-1 (rank 2, host there, pid 77)");
    }

    @Test
    void failuresComeBackFromTheWire() {
        for (Reason reason : Reason.values()) {
            RobberException failure = new RobberException(reason, List.of(4, 2), "scan", "text");
            RobberException back = ControlFailures.fromMessage(ControlFailures.toMessage(failure, 5));

            assertThat(back.reason()).isEqualTo(reason);
            assertThat(back.ranks()).containsExactly(4, 2);
            assertThat(back.phase()).isEqualTo("scan");
            assertThat(back).hasMessage("text");
        }
    }

    @Test
    void noFailureIsTooStrangeToBeSent() {
        String strange = "\ud800\uffff\ud83d\ude00".repeat(5000);
        RobberException failure =
                new RobberException(Reason.INTERNAL, List.of(-1, 3, 3, 9, Integer.MAX_VALUE), strange, strange);

        Fail fail = ControlFailures.toMessage(failure, 5);

        assertThat(fail.ranks()).containsExactly(3);
        assertThat(ControlCodec.encode(fail).remaining()).isPositive();
        assertThat(ControlCodec.encode(ControlFailures.toMessage(
                                new RobberException(Reason.INTERNAL, List.of(), "", (String) null), 5))
                        .remaining())
                .isPositive();
    }
}
