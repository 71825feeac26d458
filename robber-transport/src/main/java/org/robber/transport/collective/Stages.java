package org.robber.transport.collective;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Stages whose failures are those of calls. */
final class Stages {
    private Stages() {}

    /**
     * A stage that depends on another one, and fails with the failure itself: methods of {@link CompletionStage} wrap it.
     *
     * @param failure of the failure of the other stage
     */
    static <S, T> CompletionStage<T> unwrapped(
            CompletionStage<S> from, Function<S, T> result, UnaryOperator<Throwable> failure) {
        CompletableFuture<T> stage = new CompletableFuture<>();
        from.whenComplete((done, problem) -> {
            try {
                if (problem == null) {
                    stage.complete(result.apply(done));
                } else {
                    stage.completeExceptionally(failure.apply(problem));
                }
            } catch (RuntimeException | Error e) {
                stage.completeExceptionally(e);
            }
        });
        return stage;
    }
}
