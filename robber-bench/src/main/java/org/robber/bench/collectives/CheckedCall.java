package org.robber.bench.collectives;

import java.nio.DoubleBuffer;
import java.util.function.BooleanSupplier;

/**
 * A call, and a look at what it brought.
 *
 * @param spoil makes the result wrong, as it may still be right from the call before
 */
record CheckedCall(Runnable spoil, Runnable call, BooleanSupplier isRight) {
    /** A call without a result. */
    static CheckedCall unchecked(Runnable call) {
        return new CheckedCall(() -> {}, call, () -> true);
    }

    static CheckedCall of(Runnable call, CheckedParts result) {
        return new CheckedCall(result::spoil, call, result::isRight);
    }

    /** A call that brings a vector which ends with this value. */
    static CheckedCall of(Runnable call, DoubleBuffer result, double right) {
        int last = result.capacity() - 1;
        return new CheckedCall(() -> result.put(last, Double.NaN), call, () -> result.get(last) == right);
    }

    /**
     * Makes the call once; returns how long it took.
     *
     * @param before runs at the end of what is not timed
     * @throws IllegalStateException if it brought wrong data
     */
    long nanos(Runnable before) {
        spoil.run();
        before.run();
        long begin = System.nanoTime();
        call.run();
        long nanos = System.nanoTime() - begin;
        if (!isRight.getAsBoolean()) {
            throw new IllegalStateException("wrong data");
        }
        return nanos;
    }
}
