package org.robber.transport.collective.member;

import java.util.function.Supplier;
import org.robber.RobberException;
import org.robber.transport.collective.data.StorageFailure;

/** What this node itself does in a call. Its failures are told by rank and call. */
public record OwnPart(Membership member) {

    /** The others would wait for a node whose own part of a call fails, so the job fails. */
    public <T> T orFailJob(String call, Supplier<T> part) {
        try {
            return part.get();
        } catch (RuntimeException | Error e) {
            RobberException failure = e instanceof StorageFailure ofStorage
                    ? named(call, ofStorage)
                    : e instanceof RobberException told
                            ? told
                            : member.waiting().asFailure(e, call);
            member.failJob().accept(failure);
            throw failure;
        }
    }

    /** As the other {@code orFailJob}. */
    public void orFailJob(String call, Runnable part) {
        boolean unused = orFailJob(call, () -> {
            part.run();
            return true;
        });
    }

    /** A part of a call that no other node waits for. */
    public void alone(String call, Runnable part) {
        try {
            part.run();
        } catch (StorageFailure e) {
            throw named(call, e);
        }
    }

    private RobberException named(String call, StorageFailure failure) {
        int worldRank = member.worldRank(member.rank());
        return failure.during(call, worldRank, member.who().apply(worldRank));
    }
}
