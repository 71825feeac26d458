package org.robber.cli.node;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.robber.Communicator;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/**
 * Reports the failure of one node to the others. The failure ends that node alone if the job goes on without lost nodes and the
 * reason concerns no other node. Otherwise it ends the job, with the reason of that node.
 */
public final class FailureReporter {

    /** Reasons that hold for all nodes. */
    private static final Set<Reason> ENDS_ALL = EnumSet.of(Reason.USAGE, Reason.SOURCE, Reason.SOURCE_CHANGED);

    private final Communicator world;
    private final Supplier<String> phase;
    private final IntPredicate isSource;

    /** @param phase what the node is doing */
    public FailureReporter(Communicator world, Supplier<String> phase) {
        this(world, phase, rank -> false);
    }

    /**
     * Of a job that has a source.
     *
     * @param isSource the ranks that have it: without them the job cannot go on, nor without rank 0
     */
    public FailureReporter(Communicator world, Supplier<String> phase, IntPredicate isSource) {
        this.world = world;
        this.phase = phase;
        this.isSource = isSource;
    }

    /** A step of the work of a node. */
    @FunctionalInterface
    public interface Step {
        void run() throws Exception;
    }

    /** Runs a step that can fail at this node alone, and reports its failure. */
    public <T> T here(Reason reason, Callable<T> step) {
        try {
            return step.call();
        } catch (RobberException e) {
            throw end(FailureText.here(world, phase.get(), e));
        } catch (IOException e) {
            throw end(FailureText.here(world, phase.get(), reason, e));
        } catch (Exception | Error e) {
            throw end(FailureText.here(world, phase.get(), Reason.INTERNAL, e));
        }
    }

    /** The same for a step without a result. */
    public void doHere(Reason reason, Step step) {
        var unused = here(reason, () -> {
            step.run();
            return world;
        });
    }

    /** Runs a part of the job, and reports its failure: the others must not take it for a node that left. */
    public <T> T orFail(Supplier<T> part) {
        return here(Reason.INTERNAL, part::get);
    }

    /** Ends this node or the job; returns the failure, which is another if one elsewhere was the first to end the job. */
    private RobberException end(RobberException failure) {
        if (world.rank() == 0 || isSource.test(world.rank()) || ENDS_ALL.contains(failure.reason())) {
            world.fail(failure);
        } else {
            world.control().giveUp(failure);
        }
        try {
            world.control().barrier();
            return failure;
        } catch (RobberException first) {
            return first;
        }
    }
}
