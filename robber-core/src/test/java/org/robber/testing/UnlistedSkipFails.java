package org.robber.testing;

import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Fails tests that skip themselves where {@code allowed-skips.txt} does not allow it: a test that silently does not run
 * protects nothing. JUnit finds this extension by itself in all modules.
 */
public final class UnlistedSkipFails
        implements TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {

    private static final AllowedSkips ALLOWED = AllowedSkips.ofProject();

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable problem) throws Throwable {
        throw judge(context, problem);
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable problem) throws Throwable {
        throw judge(context, problem);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable problem) throws Throwable {
        throw judge(context, problem);
    }

    private static Throwable judge(ExtensionContext context, Throwable problem) {
        Class<?> test = context.getRequiredTestClass();
        while (test.getEnclosingClass() != null) {
            test = test.getEnclosingClass();
        }
        String method = context.getTestMethod().map(Method::getName).orElse("");
        return judge(ALLOWED, test.getSimpleName(), method, problem, AllowedSkips::succeedsHere);
    }

    /** Returns what the test ends with: its own problem, or a failure if it skips itself and must not. */
    static Throwable judge(
            AllowedSkips allowed, String simpleClassName, String method, Throwable problem, AllowedSkips.Probe probe) {
        if (!(problem instanceof TestAbortedException)) {
            return problem;
        }
        String objection = allowed.objection(simpleClassName, method, probe);
        return objection.isEmpty()
                ? problem
                : new AssertionError(
                        simpleClassName + "." + method + " was skipped (" + problem.getMessage() + "), but "
                                + objection,
                        problem);
    }
}
