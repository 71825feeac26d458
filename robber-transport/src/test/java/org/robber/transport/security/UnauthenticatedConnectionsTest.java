package org.robber.transport.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The limits on unauthenticated connections, and the log of those that were closed. */
class UnauthenticatedConnectionsTest {
    private static final int MEMBERS = 3;
    private static final int MOST_PER_ADDRESS = UnauthenticatedConnections.SPARE_PER_ADDRESS + MEMBERS;
    private static final int MOST = UnauthenticatedConnections.SPARE + MEMBERS;

    private final List<String> log = new ArrayList<>();
    private final long[] nowNanos = {0};
    private final UnauthenticatedConnections unauthenticated =
            new UnauthenticatedConnections(MEMBERS, new RejectionLog("the door", () -> nowNanos[0], log::add));
    private int ports;

    @Test
    void oneAddressTakesOnlySoManyPlacesAndItsOldestGoFirst() {
        EmbeddedChannel elsewhere = from("192.0.2.1");
        unauthenticated.admit(elsewhere);
        List<EmbeddedChannel> flood = admit("192.0.2.2", 500);

        assertThat(elsewhere.isOpen()).isTrue();
        assertThat(flood.stream().filter(EmbeddedChannel::isOpen))
                .containsExactlyElementsOf(flood.subList(500 - MOST_PER_ADDRESS, 500));
        assertThat(unauthenticated.count()).isEqualTo(MOST_PER_ADDRESS + 1);
    }

    @Test
    void manyAddressesTakeOnlySoManyPlacesTogether() {
        List<EmbeddedChannel> flood = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            flood.addAll(admit("192.0.2." + i % 250, 1));
        }

        assertThat(flood.stream().filter(EmbeddedChannel::isOpen))
                .containsExactlyElementsOf(flood.subList(500 - MOST, 500));
        assertThat(unauthenticated.count()).isEqualTo(MOST);
    }

    @Test
    void whoIsKnownStaysAndTakesNoPlace() {
        List<EmbeddedChannel> known = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            EmbeddedChannel channel = from("192.0.2.1");
            assertThat(unauthenticated.admit(channel).end()).isTrue();
            known.add(channel);
        }
        admit("192.0.2.1", 500);

        assertThat(known).allMatch(EmbeddedChannel::isOpen);
        assertThat(unauthenticated.count()).isEqualTo(MOST_PER_ADDRESS);
    }

    @Test
    void aVisitEndsOnce() {
        UnauthenticatedConnections.Entry entry = unauthenticated.admit(from("192.0.2.1"));
        UnauthenticatedConnections.Entry other = unauthenticated.admit(from("192.0.2.1"));

        assertThat(entry.end()).isTrue();
        assertThat(entry.end()).isFalse();
        entry.refuse("too late");
        assertThat(unauthenticated.count()).isEqualTo(1);
        other.refuse("for a reason");
        assertThat(unauthenticated.count()).isZero();
        assertThat(log).containsExactly("closed the connection of /192.0.2.1:2 to the door: for a reason");
    }

    @Test
    void aFloodIsNamedInPartAndCountedAsAWhole() {
        admit("192.0.2.1", MOST_PER_ADDRESS + 30);
        assertThat(log)
                .hasSize(RejectionLog.NAMED_PER_PERIOD)
                .allMatch(line -> line.contains("192.0.2.1") && line.contains("the door"));
        unauthenticated.closeAll();

        assertThat(log.get(RejectionLog.NAMED_PER_PERIOD))
                .isEqualTo("closed 20 more unauthenticated connections to the door");
        assertThat(unauthenticated.count()).isZero();
    }

    @Test
    void afterAWhileNamesAreToldAgain() {
        for (int i = 0; i < RejectionLog.NAMED_PER_PERIOD + 2; i++) {
            unauthenticated.admit(from("192.0.2.1")).refuse("one reason");
        }
        nowNanos[0] = RejectionLog.PERIOD_NANOS;
        unauthenticated.admit(from("192.0.2.2")).refuse("another reason");

        assertThat(log)
                .hasSize(RejectionLog.NAMED_PER_PERIOD + 2)
                .endsWith(
                        "closed 2 more unauthenticated connections to the door",
                        "closed the connection of /192.0.2.2:13 to the door: another reason");
    }

    private List<EmbeddedChannel> admit(String address, int count) {
        List<EmbeddedChannel> admitted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            EmbeddedChannel channel = from(address);
            unauthenticated.admit(channel);
            admitted.add(channel);
        }
        return admitted;
    }

    private EmbeddedChannel from(String address) {
        SocketAddress peer = new InetSocketAddress(address, ++ports);
        return new EmbeddedChannel() {
            @Override
            protected SocketAddress remoteAddress0() {
                return peer;
            }
        };
    }
}
