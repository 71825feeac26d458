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

    private Lease take() {
        Lease lease = buffers.tryTake();
        assertThat(lease).isNotNull();
        return lease;
    }

    @Test
    void givesOutNoMoreThanTheBudget() {
        List<Lease> leases = List.of(take(), take(), take());

        @Nullable Lease fourth = buffers.tryTake();

        assertThat(fourth).isNull();
        leases.forEach(Lease::release);
    }

    @Test
    void aBudgetSmallerThanTwoPiecesStillLetsThingsMove() {
        try (PieceBuffers tiny = new PieceBuffers(1024, 10)) {
            Lease first = tiny.tryTake();
            Lease second = tiny.tryTake();

            assertThat(first).isNotNull();
            assertThat(second).isNotNull();
            assertThat(tiny.tryTake()).isNull();
            first.release();
            second.release();
        }
    }

    @Test
    void aBufferComesBackOnlyAfterItsLastHolderReleasedIt() {
        Lease lease = take();
        lease.retain();
        Lease second = take();
        Lease third = take();

        lease.release();
        assertThat(buffers.tryTake()).isNull();
        lease.release();
        Lease again = take();

        assertThat(again.bytes()).isSameAs(lease.bytes());
        List.of(again, second, third).forEach(Lease::release);
    }

    @Test
    void waitersAreCalledOnePerReturnedBufferInOrder() {
        List<Lease> leases = List.of(take(), take(), take());
        List<String> called = new ArrayList<>();
        buffers.whenAvailable(() -> called.add("first"));
        buffers.whenAvailable(() -> called.add("second"));
        assertThat(called).isEmpty();

        leases.get(0).release();
        assertThat(called).containsExactly("first");
        leases.get(1).release();
        assertThat(called).containsExactly("first", "second");
        leases.get(2).release();
    }

    @Test
    void whoeverAsksWhileABufferIsFreeIsCalledAtOnce() {
        List<String> called = new ArrayList<>();

        buffers.whenAvailable(() -> called.add("now"));

        assertThat(called).containsExactly("now");
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
