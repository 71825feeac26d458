package org.robber.transport.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.transport.link.PieceBuffers.Lease;

class PieceBuffersTest {
    private final PieceBuffers buffers = new PieceBuffers(1024, 3 * 1024);

    @AfterEach
    void close() {
        buffers.close();
    }

    private static void unexpected(Lease lease) {
        throw new AssertionError("nobody waits for " + lease.bytes());
    }

    private Lease take() {
        Lease lease = buffers.take(PieceBuffersTest::unexpected);
        assertThat(lease).isNotNull();
        return lease;
    }

    @Test
    void givesOutNoMoreThanTheBudget() {
        List<Lease> leases = List.of(take(), take(), take());

        List<Lease> later = new ArrayList<>();

        @Nullable Lease fourth = buffers.take(later::add);

        assertThat(fourth).isNull();
        leases.forEach(Lease::release);
        later.forEach(Lease::release);
    }

    @Test
    void aBudgetSmallerThanTwoPiecesStillLetsThingsMove() {
        try (PieceBuffers tiny = new PieceBuffers(1024, 10)) {
            Lease first = tiny.take(PieceBuffersTest::unexpected);
            Lease second = tiny.take(PieceBuffersTest::unexpected);

            assertThat(first).isNotNull();
            assertThat(second).isNotNull();
            List<Lease> later = new ArrayList<>();
            assertThat(tiny.take(later::add)).isNull();
            first.release();
            second.release();
            later.forEach(Lease::release);
        }
    }

    @Test
    void whoeverAsksFirstGetsTheFirstBufferThatComesBack() {
        List<Lease> leases = List.of(take(), take(), take());
        List<String> served = new ArrayList<>();
        List<Lease> later = new ArrayList<>();
        for (String name : List.of("first", "second")) {
            assertThat(buffers.take(lease -> {
                        served.add(name);
                        later.add(lease);
                    }))
                    .isNull();
        }

        leases.get(0).release();
        assertThat(served).containsExactly("first");
        assertThat(later.get(0).bytes()).isSameAs(leases.get(0).bytes());
        leases.get(1).release();
        assertThat(served).containsExactly("first", "second");

        leases.get(2).release();
        later.forEach(Lease::release);
    }

    @Test
    void nobodyIsServedAfterTheClose() {
        List<Lease> leases = List.of(take(), take(), take());
        List<Lease> later = new ArrayList<>();
        assertThat(buffers.take(later::add)).isNull();

        buffers.close();
        leases.forEach(Lease::release);

        assertThat(later).isEmpty();
        assertThat(buffers.take(later::add)).isNull();
    }

    @Test
    void buffersStillOutWhenItIsClosedAreFreedWhenTheyComeBack() {
        Lease lease = take();

        buffers.close();
        assertThat(lease.bytes().refCnt()).isEqualTo(1);
        lease.release();

        assertThat(lease.bytes().refCnt()).isZero();
    }

    @Test
    void releasingTooOftenIsADefectThatIsNoticed() {
        Lease lease = take();
        lease.release();

        assertThatThrownBy(lease::release).isInstanceOf(IllegalStateException.class);
    }
}
