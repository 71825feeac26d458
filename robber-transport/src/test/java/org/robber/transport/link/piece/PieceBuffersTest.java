package org.robber.transport.link.piece;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.transport.link.piece.PieceBuffers.Lease;
import org.robber.transport.memory.ReusedMemory;

class PieceBuffersTest {
    private final ReusedMemory<ByteBuf> source =
            new ReusedMemory<>(1 << 20, Unpooled::directBuffer, ByteBuf::capacity, ByteBuf::release);
    private final PieceBuffers buffers = new PieceBuffers(1024, 3 * 1024, source);

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
    void keptPiecesStayUntilTheirBuffersAreNeeded() {
        Lease before = take();
        buffers.keep(1, before);
        before.release();
        assertThat(buffers.kept(1)).as("nobody has asked for any piece yet").isNull();

        buffers.startKeeping();
        Lease first = take();
        buffers.keep(4, first);
        first.release();
        Lease reader = buffers.kept(4);
        assertThat(reader).isNotNull();
        assertThat(reader.bytes()).isSameAs(first.bytes());
        List<Lease> others = List.of(take(), take());
        assertThat(others).allSatisfy(other -> assertThat(other.bytes()).isNotSameAs(first.bytes()));
        List<Lease> later = new ArrayList<>();
        assertThat(buffers.take(later::add)).as("it is being read").isNull();
        reader.release();
        assertThat(later)
                .singleElement()
                .satisfies(other -> assertThat(other.bytes()).isSameAs(first.bytes()));
        assertThat(buffers.kept(4)).isNull();
        others.forEach(Lease::release);
        later.forEach(Lease::release);
    }

    @Test
    void theOldestKeptPieceGoesFirst() {
        buffers.startKeeping();
        Lease one = take();
        Lease two = take();
        buffers.keep(1, one);
        buffers.keep(2, two);
        one.release();
        two.release();
        Lease taken = take();
        assertThat(taken.bytes()).isSameAs(one.bytes());
        assertThat(buffers.kept(1)).isNull();
        Lease reader = buffers.kept(2);
        assertThat(reader).isNotNull();
        reader.release();
        taken.release();
    }

    @Test
    void aBudgetSmallerThanTwoPiecesStillLetsThingsMove() {
        try (PieceBuffers tiny = new PieceBuffers(1024, 10, source)) {
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
    void buffersStillOutWhenItIsClosedAreUsedAgainOnceTheyAreBack() {
        Lease lease = take();

        buffers.close();
        ByteBuf another = source.take(1024);
        assertThat(another).isNotSameAs(lease.bytes());
        lease.release();

        assertThat(source.take(1024)).isSameAs(lease.bytes());
        another.release();
        lease.bytes().release();
    }

    @Test
    void releasingTooOftenIsADefectThatIsNoticed() {
        Lease lease = take();
        lease.release();

        assertThatThrownBy(lease::release).isInstanceOf(IllegalStateException.class);
    }
}
