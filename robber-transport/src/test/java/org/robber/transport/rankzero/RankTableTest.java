package org.robber.transport.rankzero;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.net.InetAddresses;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.robber.JobOptions;
import org.robber.TlsOptions;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlLinkListener;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlType;
import org.robber.transport.rendezvous.RawNode;
import org.robber.transport.security.Credentials;

class RankTableTest {
    private static final JobOptions OPTIONS =
            JobOptions.of("test", "localhost", 0, 0, 3).withTls(TlsOptions.off());

    private final InetAddress anywhere = new InetSocketAddress(0).getAddress();
    private final LocalAddresses machine = new LocalAddresses(Set.of(InetAddresses.forString("10.0.1.1")));
    private final RankTable table = new RankTable(RawNode.announce(OPTIONS));

    /** Else it would be in the subnet of all loopback addresses. */
    @Test
    void theMachineOfRankZeroGoesByAnAddressThatOtherMachinesReach() {
        assign(1, "127.0.0.1", "127.0.0.1");
        assign(2, "10.0.2.1", "10.0.1.1");

        assertThat(table.whereabouts(anywhere, machine).seen())
                .map(InetAddresses::toAddrString)
                .containsExactly("10.0.1.1", "10.0.1.1", "10.0.2.1");
    }

    @Test
    void orByTheOneThatRankOneHasReachedIfThereIsNoOther() {
        assign(1, "127.0.0.1", "127.0.0.2");
        assign(2, "127.0.0.1", "127.0.0.3");

        assertThat(table.whereabouts(anywhere, machine).seen())
                .map(InetAddresses::toAddrString)
                .containsExactly("127.0.0.2", "127.0.0.2", "127.0.0.2");
    }

    private void assign(int rank, String remote, String local) {
        EmbeddedChannel channel = new EmbeddedChannel() {
            @Override
            protected SocketAddress remoteAddress0() {
                return new InetSocketAddress(InetAddresses.forString(remote), 1);
            }

            @Override
            protected SocketAddress localAddress0() {
                return new InetSocketAddress(InetAddresses.forString(local), 1);
            }
        };
        JobOptions options = JobOptions.of("test", "localhost", 0, rank, 3).withTls(TlsOptions.off());
        ControlLink link = ControlLink.on(
                channel,
                channel.eventLoop(),
                "node",
                Credentials.of(options).listening(),
                ControlType.FROM_WAITING_NODE,
                Duration.ofMinutes(1),
                new ControlLinkListener() {
                    @Override
                    public void received(ControlLink from, ControlMessage message) {}

                    @Override
                    public void ended(ControlLink ended, String why) {}
                });
        table.assign(RawNode.announce(options), link);
    }
}
