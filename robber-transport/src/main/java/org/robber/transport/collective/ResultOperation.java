package org.robber.transport.collective;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.robber.Operation;

/**
 * A call that gives something.
 *
 * @param call the call
 * @param result what it gives, once it has ended well
 */
record ResultOperation<T>(Operation<Void> call, Supplier<T> result) implements Operation<T> {
    @Override
    public boolean test() {
        return call.test();
    }

    @Override
    public T await() {
        call.await();
        return result.get();
    }

    @Override
    public boolean await(Duration timeout) {
        return call.await(timeout);
    }

    @Override
    public void cancel() {
        call.cancel();
    }

    @Override
    public double progress() {
        return call.progress();
    }

    @Override
    public CompletionStage<T> toCompletionStage() {
        return Stages.unwrapped(call.toCompletionStage(), done -> result.get(), problem -> problem);
    }
}
