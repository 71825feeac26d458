package org.robber.transport.control;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.junit.jupiter.api.Test;
import org.robber.core.wire.FrameParsers;
import org.robber.core.wire.Mutants;

/** Damaged control messages: the parser understands them, or refuses them with a WireException. */
class ControlFuzzTest {

    @Test
    void goldenMessagesWithDamage() {
        Mutants.assertOnlyWireExceptions(ControlParser::reencode, Mutants.frames(GoldenControl.MESSAGES));
    }

    @FuzzTest(maxDuration = "1m")
    void control(byte[] frame) {
        FrameParsers.accepts(ControlParser::reencode, frame);
    }
}
