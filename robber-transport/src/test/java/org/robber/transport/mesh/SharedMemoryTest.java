package org.robber.transport.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.robber.core.meeting.MeetingKey;
import org.robber.core.meeting.MeshMessage.Begun;
import org.robber.core.meeting.MeshMessage.OfMeeting;

@EnabledOnOs(OS.LINUX)
class SharedMemoryTest {
    private static final Begun BEGUN = new Begun(new MeetingKey(1, 2), "barrier");

    @Test
    void whatOneWritesTheOtherReadsAndNobodyElseCanOpenIt() {
        SharedMemory created = Objects.requireNonNull(SharedMemory.create(5));
        assertThat(created.offer(MeshCodec.encode(BEGUN))).isFalse();

        SharedMemory opened = Objects.requireNonNull(SharedMemory.open(4, created.share()));
        assertThat(created.offer(MeshCodec.encode(BEGUN))).isFalse();
        created.open();
        opened.open();
        assertPasses(created, opened);
        assertPasses(opened, created);
        assertThat(SharedMemory.open(4, created.share())).isNull();
    }

    private static void assertPasses(SharedMemory writer, SharedMemory reader) {
        assertThat(writer.offer(MeshCodec.encode(BEGUN))).isTrue();
        List<OfMeeting> got = new ArrayList<>();
        assertThat(reader.read(got::add)).isTrue();
        assertThat(got).containsExactly(BEGUN);
    }

    @Test
    void memoryThatIsNotOpenedIsDeleted() {
        SharedMemory created = Objects.requireNonNull(SharedMemory.create(5));
        created.delete();
        assertThat(SharedMemory.open(4, created.share())).isNull();
    }
}
