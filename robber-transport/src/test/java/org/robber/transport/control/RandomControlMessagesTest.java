package org.robber.transport.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.robber.core.wire.RandomFields.bytes;
import static org.robber.core.wire.RandomFields.natural;
import static org.robber.core.wire.RandomFields.rank;
import static org.robber.core.wire.RandomFields.text;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

/** Random control messages come back as they were sent, and none is longer than its type may be. */
class RandomControlMessagesTest {

    @Test
    void controlMessagesComeBack() {
        SeededRuns.run(60, random -> {
            for (ControlType type : ControlType.values()) {
                ControlMessage message = controlMessage(type, random);
                ByteBuffer frame = ControlCodec.encode(message);
                int payloadBytes = ControlCodec.payloadBytes(frame.getInt(), frame.get());
                assertThat(payloadBytes).isEqualTo(frame.remaining());
                assertThat(ControlCodec.decode(type.code(), frame))
                        .usingRecursiveComparison()
                        .isEqualTo(message);
            }
        });
    }

    private static ControlMessage controlMessage(ControlType type, SeededRandom random) {
        return switch (type) {
            case ANNOUNCE ->
                new ControlMessage.Announce(
                        text(1024, random),
                        rank(random),
                        1 + rank(random),
                        random.nextBoolean() ? text(1024, random) : null,
                        text(1024, random),
                        natural(random),
                        addresses(random),
                        random.nextInt(65536),
                        text(8192, random));
            case ROSTER ->
                new ControlMessage.Roster(
                        random.nextLong(),
                        IntStream.rangeClosed(0, random.nextInt(20))
                                .mapToObj(rank -> member(random))
                                .collect(ImmutableList.toImmutableList()));
            case REFUSE -> new ControlMessage.Refuse((int) random.nextLong(), text(8192, random));
            case CALL -> new ControlMessage.Call(natural(random), text(1024, random));
            case ARRIVE -> new ControlMessage.Arrive(natural(random), bytes(random.nextInt(3000), random));
            case RELEASE -> new ControlMessage.Release(natural(random), bytes(random.nextInt(3000), random));
            case PUBLISH ->
                new ControlMessage.Publish(rank(random), text(1024, random), bytes(random.nextInt(3000), random));
            case PROGRESS ->
                new ControlMessage.Progress(
                        text(1024, random),
                        natural(random),
                        natural(random),
                        IntStream.range(0, random.nextInt(20))
                                .boxed()
                                .collect(ImmutableSortedMap.toImmutableSortedMap(
                                        Comparator.naturalOrder(), i -> i * 7, i -> natural(random))));
            case FAIL ->
                new ControlMessage.Fail(
                        (int) random.nextLong(),
                        IntStream.range(0, random.nextInt(20))
                                .mapToObj(i -> rank(random))
                                .collect(ImmutableList.toImmutableList()),
                        text(1024, random),
                        text(8192, random));
            case GOODBYE -> new ControlMessage.Goodbye();
            case ALIVE -> new ControlMessage.Alive();
            case DATA_HELLO ->
                new ControlMessage.DataHello(
                        text(1024, random), random.nextLong(), random.nextLong(), rank(random), rank(random));
            case LOST ->
                new ControlMessage.Lost(rank(random), (int) random.nextLong(), text(1024, random), text(8192, random));
            case JOIN ->
                new ControlMessage.Join(
                        text(1024, random),
                        random.nextBoolean() ? text(1024, random) : null,
                        text(1024, random),
                        natural(random),
                        addresses(random),
                        random.nextInt(65536));
            case ADMIT ->
                new ControlMessage.Admit(
                        1 + rank(random),
                        random.nextInt(Integer.MAX_VALUE),
                        natural(random),
                        rank(random),
                        natural(random),
                        1 + random.nextInt(Integer.MAX_VALUE),
                        text(1024, random),
                        text(1024, random),
                        random.nextInt(Integer.MAX_VALUE));
            case MEASURE_ROUND_TRIP ->
                new ControlMessage.MeasureRoundTrip(
                        random.nextInt(Integer.MAX_VALUE), text(100, random), random.nextInt(65536));
            case ROUND_TRIP -> new ControlMessage.RoundTrip(random.nextInt(Integer.MAX_VALUE), natural(random));
            case JOINED -> new ControlMessage.Joined(rank(random), member(random));
            case CALL_BACK -> new ControlMessage.CallBack(rank(random), rank(random), random.nextLong());
            case BACK_HELLO ->
                new ControlMessage.BackHello(text(1024, random), random.nextLong(), rank(random), random.nextLong());
            case RELAY -> new ControlMessage.Relay(text(1024, random), random.nextLong(), rank(random), rank(random));
        };
    }

    private static ControlMessage.Member member(SeededRandom random) {
        return new ControlMessage.Member(
                text(100, random), text(100, random), natural(random), addresses(random), random.nextInt(65536));
    }

    private static ImmutableList<String> addresses(SeededRandom random) {
        return IntStream.range(0, random.nextInt(ControlMessage.MAX_ADDRESSES + 1))
                .mapToObj(each -> text(100, random))
                .collect(ImmutableList.toImmutableList());
    }
}
