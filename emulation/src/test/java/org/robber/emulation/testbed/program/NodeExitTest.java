package org.robber.emulation.testbed.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;

class NodeExitTest {

    @Test
    void namesTheCauseAndNotItsStack() {
        String errors = """
                Exception in thread "main" java.lang.IllegalStateException: call 3
                \tat org.robber.Sample.main(Sample.java:7)
                Caused by: java.lang.OutOfMemoryError: no direct memory
                \tat java.base/java.nio.Bits.reserveMemory(Bits.java:178)
                \t... 7 more
                """;
        assertEquals("Caused by: java.lang.OutOfMemoryError: no direct memory", lastError(errors));
    }

    @Test
    void leavesOutFramesAroundAMessage() {
        assertEquals("mpirun: no slots", lastError("-----\nmpirun: no slots\n-----\n"));
        assertEquals("", lastError("\n---\n"));
    }

    private static String lastError(String errors) {
        return new NodeExit(0, 1, "", errors, ImmutableList.of()).lastError();
    }
}
