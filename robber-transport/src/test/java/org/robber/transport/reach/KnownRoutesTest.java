package org.robber.transport.reach;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.reach.KnownRoutes.Route;

/** Which nodes are asked first to be relays. */
class KnownRoutesTest {
    private static final int SIZE = 300;

    @Test
    void theMostPromisingRelayIsTheFirst() {
        List<Member> nodes = List.of(node("A"), node("B"), node("B"), node("A"), node("C"), node("C"));
        KnownRoutes routes = new KnownRoutes(0, () -> nodes);
        routes.reached(4, Route.DIRECT);
        routes.reached(2, Route.through(4));
        routes.reached(1, Route.through(5));

        assertThat(routes.relaysTo(1)).containsExactly(5, 4, 3, 2);
        routes.lose(4);
        assertThat(routes.relaysTo(1)).containsExactly(5, 3, 2);
    }

    @Test
    void whatChangesMeanwhileDoesNotStopTheSort() {
        Random random = new Random(1);
        List<Member> mates =
                IntStream.range(0, SIZE).mapToObj(rank -> node("A")).toList();
        List<Member> strangers =
                IntStream.range(0, SIZE).mapToObj(rank -> node("C" + rank)).toList();
        KnownRoutes routes = new KnownRoutes(0, () -> random.nextBoolean() ? mates : strangers);

        for (int i = 0; i < 100; i++) {
            assertThat(routes.relaysTo(1)).hasSize(SIZE - 2);
        }
    }

    private static Member node(String cluster) {
        return new Member(cluster, "host", 1, "127.0.0.1", 1);
    }
}
