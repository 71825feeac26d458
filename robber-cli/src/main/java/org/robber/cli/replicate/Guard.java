package org.robber.cli.replicate;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.robber.Communicator;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/**
 * Sees to it that what fails at one node is told: if it is a matter of that node alone, and the job goes on without nodes that are
 * lost, it ends there; else at all of them, with the reason of that node.
 */
final class Guard {

    /** Wrong for one, wrong for all. */
    private static final Set<Reason> ENDS_ALL = EnumSet.of(Reason.USAGE, Reason.SOURCE, Reason.SOURCE_CHANGED);

    private final Communicator world;
    private final Supplier<String> phase;

    /** @param phase what the node is doing */
    Guard(Communicator world, Supplier<String> phase) {
        this.world = world;
        this.phase = phase;
    }

    /** Does what can fail at this node alone, and tells it if it does. */
    <T> T here(Reason reason, Callable<T> step) {
        try {
            return step.call();
        } catch (RobberException e) {
            throw end(FailureText.here(world, phase.get(), e));
        } catch (IOException | RuntimeException e) {
            throw end(FailureText.here(world, phase.get(), e instanceof IOException ? reason : Reason.INTERNAL, e));
        } catch (Exception e) {
            throw end(FailureText.here(world, phase.get(), Reason.INTERNAL, e));
        }
    }

    /** What ends this node must not look to the others as if it had merely left. */
    <T> T orFail(Supplier<T> part) {
        try {
            return part.get();
        } catch (RobberException e) {
            throw end(FailureText.here(world, phase.get(), e));
        } catch (RuntimeException e) {
            throw end(FailureText.here(world, phase.get(), Reason.INTERNAL, e));
        }
    }

    /** Ends this node or the job; returns the failure, which is another if one elsewhere was the first to end the job. */
    private RobberException end(RobberException failure) {
        if (world.rank() == 0 || ENDS_ALL.contains(failure.reason())) {
            world.fail(failure);
        } else {
            world.control().giveUp(failure);
        }
        try {
            world.barrier();
            return failure;
        } catch (RobberException first) {
            return first;
        }
    }
}
