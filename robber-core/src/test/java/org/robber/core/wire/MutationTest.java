package org.robber.core.wire;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceLayout;
import org.robber.core.random.SeededRuns;
import org.robber.core.wire.FrameParsers.Parser;

/**
 * Golden frames with random damage, a few hundred thousand of them. A parser may understand what it gets, or refuse it
 * with a {@link WireException}; anything else fails the test.
 */
class MutationTest {

    private static final int RUNS = 100;
    private static final int MUTANTS_PER_RUN = 500;

    @Test
    void messagesBetweenPeers() {
        Parser parser = FrameParsers.peer(Golden.CODEC);
        Mutants.assertOnlyWireExceptions(parser, Mutants.frames(Golden.MESSAGES));
    }

    @Test
    void messagesOfAnotherMulticast() {
        Parser parser = FrameParsers.peer(new MessageCodec(new PieceLayout(1000, 3), 16));
        Mutants.assertOnlyWireExceptions(parser, Mutants.frames(Golden.MESSAGES));
    }

    @Test
    void greetings() {
        List<byte[]> greetings = Mutants.frames(Golden.GREETINGS);
        Mutants.assertOnlyWireExceptions(FrameParsers::hello, greetings);
        Mutants.assertOnlyWireExceptions(FrameParsers::challenge, greetings);
        Mutants.assertOnlyWireExceptions(FrameParsers::proof, greetings);
    }

    @Test
    void bytesWithoutAnyMeaning() {
        SeededRuns.run(RUNS, random -> {
            for (int i = 0; i < MUTANTS_PER_RUN; i++) {
                byte[] bytes = new byte[random.nextInt(80)];
                for (int at = 0; at < bytes.length; at++) {
                    bytes[at] = (byte) random.nextInt(256);
                }
                FrameParsers.accepts(FrameParsers.peer(Golden.CODEC), bytes);
                FrameParsers.accepts(FrameParsers::hello, bytes);
            }
        });
    }
}
