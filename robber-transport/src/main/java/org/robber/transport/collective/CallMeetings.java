package org.robber.transport.collective;

import com.google.common.primitives.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.robber.core.meeting.Group;
import org.robber.core.meeting.MeetingNode;
import org.robber.core.meeting.PersonalPayloads;
import org.robber.transport.collective.shared.SharedWindows;
import org.robber.transport.mesh.Meetings;

/** The meetings of the calls of one communicator. Each has a number of its own. Thread-safe. */
final class CallMeetings {
    /** Meetings of one stage have numbers that grow with those of their calls. */
    private static final int STAGE_SHIFT = 60;

    /** So do those of one round of a stage. */
    private static final int ROUND_SHIFT = MeetingNode.SERIES_SHIFT;

    private final Group group;
    private final Supplier<Meetings> meetings;
    private final AtomicLong shared = new AtomicLong();
    private final AtomicLong delivered = new AtomicLong();

    /** The meetings of a call. */
    enum Stage {
        BEGIN(0),
        DATA(1),
        END(2),
        MORE(3),
        AGAIN(4),
        SHARED(5),
        DIRECT(6);

        private final int number;

        Stage(int number) {
            this.number = number;
        }
    }

    /** @param meetings of the job, for one that begins now */
    CallMeetings(Group group, Supplier<Meetings> meetings) {
        this.group = group;
        this.meetings = meetings;
    }

    /** Members bring something for all in a stage of the call of this number. */
    CompletableFuture<List<byte[]>> meet(long number, Stage stage, String call, byte[] payload) {
        return meetings.get().meet(group, meetingNumber(number, stage, 0), call, payload);
    }

    /** The same at the stage of a call. */
    CompletableFuture<List<byte[]>> meet(BegunCall call, String step, byte[] payload) {
        return meet(call.number(), call.stage(), call.name() + step, payload);
    }

    /**
     * Tells and hears what may be more than one meeting carries, from the beginning of a call on. Each member has an equal share of a meeting. Another meeting
     * follows if a member has filled its share.
     */
    CompletableFuture<List<byte[]>> tellAll(long number, String call, byte[] said) {
        return tellAll(number, 0, call, said);
    }

    private CompletableFuture<List<byte[]>> tellAll(long number, int round, String call, byte[] said) {
        int share = Meetings.MOST_BYTES / group.size();
        byte[] part = Arrays.copyOfRange(
                said, Math.min(said.length, round * share), Math.min(said.length, (round + 1) * share));
        return meetings.get()
                .meet(group, meetingNumber(number, round == 0 ? Stage.BEGIN : Stage.MORE, round), call, part)
                .thenCompose(parts -> parts.stream().noneMatch(each -> each.length == share)
                        ? CompletableFuture.completedFuture(parts)
                        : tellAll(number, round + 1, call, said).thenApply(rest -> joined(parts, rest)));
    }

    private static List<byte[]> joined(List<byte[]> first, List<byte[]> rest) {
        return IntStream.range(0, first.size())
                .mapToObj(each -> Bytes.concat(first.get(each), rest.get(each)))
                .toList();
    }

    /** Members of a call send each other payloads. Such calls run one by one, and have as many deliveries at all members, so the numbers of all calls are in a row. */
    CompletableFuture<Map<Integer, ByteBuffer>> deliver(String call, PersonalPayloads payloads) {
        return meetings.get()
                .deliver(
                        group,
                        meetingNumber(delivered.getAndIncrement(), Stage.DIRECT, 0),
                        call + ", directly",
                        payloads);
    }

    /** The meetings of a call through memory. Such calls run one by one, and have as many rounds at all members, so the numbers of all calls are in a row. */
    SharedWindows.Rounds shared(String call) {
        return payload -> meet(shared.getAndIncrement(), Stage.SHARED, call + ", through memory", payload);
    }

    private static long meetingNumber(long number, Stage stage, int round) {
        return ((long) stage.number << STAGE_SHIFT) + ((long) round << ROUND_SHIFT) + number;
    }
}
