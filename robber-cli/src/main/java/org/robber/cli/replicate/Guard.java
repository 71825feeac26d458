package org.robber.cli.replicate;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.robber.Communicator;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/** Sees to it that what fails at one node ends the job at all of them, with the reason of that node. */
final class Guard {

    private final Communicator world;
    private final Supplier<String> phase;

    /** @param phase what the node is doing */
    Guard(Communicator world, Supplier<String> phase) {
        this.world = world;
        this.phase = phase;
    }

    /** Does what can fail at this node alone, and tells everyone if it does. */
    <T> T here(Reason reason, Callable<T> step) {
        try {
            return step.call();
        } catch (RobberException e) {
            throw failEverywhere(FailureText.here(world, phase.get(), e));
        } catch (IOException | RuntimeException e) {
            throw failEverywhere(
                    FailureText.here(world, phase.get(), e instanceof IOException ? reason : Reason.INTERNAL, e));
        } catch (Exception e) {
            throw failEverywhere(FailureText.here(world, phase.get(), Reason.INTERNAL, e));
        }
    }

    /** A defect at this node must not look to the others as if it had merely left. */
    <T> T orFail(Supplier<T> part) {
        try {
            return part.get();
        } catch (RobberException e) {
            throw e;
        } catch (RuntimeException e) {
            throw failEverywhere(FailureText.here(world, phase.get(), Reason.INTERNAL, e));
        }
    }

    /** Ends the job; returns its failure, which is another if one elsewhere was the first. */
    private RobberException failEverywhere(RobberException failure) {
        world.fail(failure);
        try {
            world.barrier();
            return failure;
        } catch (RobberException first) {
            return first;
        }
    }
}
