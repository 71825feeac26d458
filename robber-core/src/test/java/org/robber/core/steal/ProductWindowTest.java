package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.ImmutableIntArray;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.node.Event;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.Words;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.DataPlacement.Range;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;
import org.robber.core.tuning.Tuning;

/**
 * Three clusters of one node each, unless the test says otherwise. Node 0 possesses the pieces 0 to 29, node 1 the pieces 30 to 59. Node 2 makes the pieces 60 to 89, each of one piece of
 * either.
 */
class ProductWindowTest {
    private static final int PRODUCTS = 30;
    private static final int OPEN = Tuning.OPEN_PRODUCTS;
    private static final int PIECES = 3 * PRODUCTS;

    private static ScriptedNode producer(Range... wanted) {
        Topology topology = Topology.ofSizes(1, 1, 1);
        DataPlacement placement = new DataPlacement(
                        PIECES,
                        List.of(new Range(0, 0, PRODUCTS), new Range(1, PRODUCTS, 2 * PRODUCTS)),
                        List.of(wanted),
                        List.of(new Range(2, 2 * PRODUCTS, PIECES)),
                        product -> ImmutableIntArray.of(product - 2 * PRODUCTS, product - PRODUCTS))
                .withRelays(PIECES);
        NodeSetup setup = new NodeSetup(
                2, topology, Overlay.complete(topology), placement, placement.possessedBy(2), 1, 2, 1, PIECES, false);
        return ScriptedNode.of(StealingNode.ofRobber(setup, StealingVariant.IMPROVED));
    }

    private static ScriptedNode producer() {
        return producer(new Range(2, 0, 2 * PRODUCTS));
    }

    private static String work(int firstProduct, int endProduct) {
        return firstProduct + "-" + (endProduct - 1) + "," + (PRODUCTS + firstProduct) + "-"
                + (PRODUCTS + endProduct - 1);
    }

    @Test
    void inputsOfTheNextProductsAreWork() {
        assertThat(producer().ownWork()).isEqualTo(work(0, OPEN));
    }

    @Test
    void allInputsAreDesiredFromTheStart() {
        ScriptedNode node = producer();
        node.start();
        assertThat(node.ready(0)).contains("0: desire 0-" + (2 * PRODUCTS - 1));
    }

    @Test
    void aProductOpensTheNext() {
        ScriptedNode node = producer();
        node.start();
        node.store(0, 0);
        node.store(1, PRODUCTS);
        assertThat(node.ownWork()).isEqualTo(work(1, OPEN));
        node.node().handle(0, new Event.PieceProduced(2 * PRODUCTS));
        assertThat(node.ownWork()).isEqualTo(work(1, OPEN + 1));
    }

    /** Their inputs may still come, and a node is done only when all is there or given up. */
    @Test
    void productsThatWillNotComeHoldNothingBack() {
        ScriptedNode node = producer();
        node.start();
        node.node().handle(0, new Event.GivenUp(PieceSet.range(PIECES, 2 * PRODUCTS, PIECES)));
        assertThat(node.ownWork()).isEqualTo("0-" + (2 * PRODUCTS - 1));
    }

    @Test
    void productsOfOneInputFromOthersDoNotWait() {
        assertThat(producer(new Range(2, 0, PRODUCTS)).ownWork()).isEqualTo("0-" + (PRODUCTS - 1));
    }

    /**
     * Node 0 makes the pieces 60 to 89 of one piece of each of its mates: ten for the cluster of node 3, ten for that of node 4, ten for itself. Their inputs
     * are 0 to 9, 10 to 19 and 20 to 29 of mate 1.
     */
    private static ScriptedNode producerOfMates() {
        Topology topology = Topology.ofSizes(3, 1, 1);
        DataPlacement placement = new DataPlacement(
                PIECES,
                List.of(new Range(1, 0, PRODUCTS), new Range(2, PRODUCTS, 2 * PRODUCTS)),
                List.of(new Range(0, 0, 2 * PRODUCTS), new Range(3, 60, 70), new Range(4, 70, 80)),
                List.of(new Range(0, 2 * PRODUCTS, PIECES)),
                product -> ImmutableIntArray.of(product - 2 * PRODUCTS, product - PRODUCTS));
        NodeSetup setup = new NodeSetup(
                0,
                topology,
                Overlay.complete(topology),
                placement,
                placement.possessedBy(0),
                1,
                PIECES,
                1,
                PIECES,
                false);
        ScriptedNode node = ScriptedNode.of(StealingNode.ofRobber(setup, StealingVariant.IMPROVED));
        node.start();
        return node;
    }

    /** Nobody else was to bring its inputs, so they became own work. */
    @Test
    void aLaterProductThatIsThereFirstTakesNoTurn() {
        ScriptedNode node = producer();
        node.start();
        int early = 2 * PRODUCTS + OPEN;
        node.store(0, OPEN);
        node.store(1, PRODUCTS + OPEN);
        node.node().handle(0, new Event.PieceProduced(early));
        node.store(0, 0);
        node.store(1, PRODUCTS);
        node.node().handle(0, new Event.PieceProduced(2 * PRODUCTS));
        assertThat(node.ownWork())
                .isEqualTo("1-" + (OPEN - 1) + "," + (OPEN + 1) + "," + (PRODUCTS + 1) + "-" + (PRODUCTS + OPEN - 1)
                        + "," + (PRODUCTS + OPEN + 1));
    }

    @Test
    void productsOfMatesThatWillNotComeHoldNothingBack() {
        ScriptedNode node = producerOfMates();
        node.node().handle(0, new Event.GivenUp(PieceSet.range(PIECES, 2 * PRODUCTS, PIECES)));
        assertThat(askableOfMates(node)).isEqualTo("0-" + (2 * PRODUCTS - 1));
    }

    @Test
    void matesAreAskedForInputsOfProductsOfEachClusterInTurn() {
        ScriptedNode node = producerOfMates();
        assertThat(node.ready(1))
                .filteredOn(word -> word.startsWith("1: request"))
                .hasSize(5)
                .isSubsetOf(
                        "1: request 0",
                        "1: request 1",
                        "1: request 10",
                        "1: request 11",
                        "1: request 20",
                        "1: request 21");
    }

    @Test
    void aProductOfMatesOpensTheNext() {
        ScriptedNode node = producerOfMates();
        node.ready(1);
        node.store(1, 0);
        node.store(2, PRODUCTS);
        node.store(1, 1);
        assertThat(askableOfMates(node)).isEqualTo("31,40-41,50-51,60-89");
        node.node().handle(0, new Event.PieceProduced(2 * PRODUCTS));
        assertThat(askableOfMates(node)).isEqualTo("31-32,40-41,50-51,61-89");
    }

    private static String askableOfMates(ScriptedNode node) {
        NodeParts parts = node.node().parts();
        return Words.of(parts.ledger().askableOf(parts.peers().findOrAdd(1)));
    }
}
