package org.robber.emulation.testbed.wan;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.robber.emulation.scenario.ClusterPair;

class CommandsTest {

    private static final long SECOND = 1_000_000_000L;

    private final PacketSlots slots = new PacketSlots(100);
    private final PacketCounters counters = new PacketCounters(4);
    private final Fabric fabric = new Fabric(
            ImmutableList.of(Subnet.parse("10.1.0.0/16"), Subnet.parse("10.2.0.0/16")),
            slots,
            counters,
            1,
            (cluster, slot) -> true);
    private final Commands commands = new Commands(fabric, counters);

    @Test
    void makesAndCutsLinks() {
        assertThat(commands.answer(0, "link 0 1 1000 500000000 0.0 100000")).isEqualTo("ok");
        int link = fabric.route(0, 0x0a020001);
        assertThat(link).isEqualTo(fabric.linkIndex(0, 1));
        send(link, 1000);
        assertThat(fabric.nextNanos()).isEqualTo(SECOND);
        fabric.advance(SECOND);
        assertThat(fabric.nextNanos()).isEqualTo(SECOND + SECOND / 2);
        assertThat(commands.answer(SECOND, "cut 0 1")).isEqualTo("ok");
        assertThat(fabric.route(0, 0x0a020001)).isEqualTo(-1);
    }

    @Test
    void limitsAccess() {
        commands.answer(0, "link 0 1 unlimited 0 0 0");
        assertThat(commands.answer(0, "up 0 1000 100000")).isEqualTo("ok");
        assertThat(commands.answer(0, "down 1 500.0 100000")).isEqualTo("ok");
        send(fabric.linkIndex(0, 1), 1000);
        assertThat(fabric.nextNanos()).isEqualTo(SECOND);
        fabric.advance(SECOND);
        assertThat(fabric.nextNanos()).isEqualTo(3 * SECOND);
        assertThat(commands.answer(0, "down 1 unlimited 0")).isEqualTo("ok");
    }

    @Test
    void countsWhatPassed() {
        commands.answer(0, "link 0 1 1000 0 0 1500");
        send(fabric.linkIndex(0, 1), 1000);
        send(fabric.linkIndex(0, 1), 500);
        send(fabric.linkIndex(0, 1), 500);
        fabric.advance(10 * SECOND);
        counters.refuse(DropReason.MULTICAST);
        WanCounts counts = WanCounts.parse(commands.answer(10 * SECOND, "count"));
        assertThat(counts.links().get(new ClusterPair(0, 1))).isEqualTo(new WanCounts.Link(1500, 2, 1, 0));
        assertThat(counts.links().get(new ClusterPair(1, 0))).isEqualTo(new WanCounts.Link(0, 0, 0, 0));
        assertThat(counts.refused()).containsEntry("multicast", 1L).containsEntry("no_room", 0L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                     | an empty line",
                "foo                    | link, cut, up, down or count expected, not foo",
                "link 0 1               | link takes 6 values, not 2",
                "link 0 2 1 1 0 1       | no cluster 2: there are 2",
                "link -1 0 1 1 0 1      | cluster is a whole number from 0 on, not -1",
                "link 0 0 1 1 0 1       | a link from cluster 0 to itself",
                "link 0 1 -1 1 0 1      | rate is a number from 0 on, not -1",
                "link 0 1 NaN 1 0 1     | rate is a number from 0 on, not NaN",
                "link 0 1 Infinity 1 0 1| rate is a number from 0 on, not Infinity",
                "link 0 1 fast 1 0 1    | rate is a number from 0 on, not fast",
                "link 0 1 1 -1 0 1      | delay is a whole number from 0 on, not -1",
                "link 0 1 1 1.5 0 1     | delay is a whole number from 0 on, not 1.5",
                "link 0 1 1 1 1 1       | loss is a share below 1, not 1",
                "link 0 1 1 1 0 -1      | queue is a whole number from 0 on, not -1",
                "cut 0                  | cut takes 2 values, not 1",
                "up 7 1 1               | no cluster 7: there are 2",
                "down 0 1               | down takes 3 values, not 2",
                "count all              | count takes 0 values, not 1",
            })
    void saysWhatIsWrongAndChangesNothing(String line, String why) {
        assertThat(commands.answer(0, line)).isEqualTo("error: " + why);
        assertThat(fabric.route(0, 0x0a020001)).isEqualTo(-1);
    }

    private void send(int link, int bytes) {
        int slot = slots.take();
        slots.describe(slot, bytes, link);
        fabric.send(0, slot);
    }
}
