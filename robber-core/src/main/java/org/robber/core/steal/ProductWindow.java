package org.robber.core.steal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Topology;
import org.robber.core.tuning.Tuning;

/**
 * The products for which a node requests inputs: the next few that are made of pieces of several other nodes. The inputs of later
 * products wait. So inputs of one product come at about the same time, and products are there early for those who want them. No mate and no fast line
 * runs ahead with inputs whose counterparts come later. A fast line relays pieces of slow lines instead.
 *
 * <p>A node makes one product for each cluster in turn, so that all lines have something to carry from the beginning.
 */
final class ProductWindow {
    private final DataPlacement placement;
    private final PieceLedger ledger;

    /** What comes from other nodes. */
    private final PieceSet fromOthers;

    /** The products whose inputs come from mates alone. */
    private final Row ofMates = new Row(Tuning.OPEN_PRODUCTS_OF_MATES);

    /** The products for which inputs come from other clusters. */
    private final Row ofClusters = new Row(Tuning.OPEN_PRODUCTS);

    ProductWindow(NodeParts parts) {
        NodeSetup setup = parts.setup();
        this.placement = setup.placement();
        this.ledger = parts.ledger();
        PieceSet products = placement.producedBy(setup.rank());
        this.fromOthers = ledger.possession().lacked().andNot(products);
        inTurn(products, setup).forEach(this::postponeIfOfSeveral);
        fill();
    }

    /** The products of a node, one for each cluster in turn, beginning with the cluster after its own. */
    private static List<Integer> inTurn(PieceSet products, NodeSetup setup) {
        Topology topology = setup.topology();
        List<PieceSet> left = new ArrayList<>();
        for (int i = 1; i < topology.clusterCount() && !products.isEmpty(); i++) {
            int cluster = (topology.clusterOf(setup.rank()) + i) % topology.clusterCount();
            PieceSet lacked = setup.placement().lackedBy(cluster, topology).and(products);
            products.removeAll(lacked);
            left.add(lacked);
        }
        left.add(products);
        List<Integer> inTurn = new ArrayList<>();
        while (!left.isEmpty()) {
            left.removeIf(PieceSet::isEmpty);
            left.forEach(pieces -> pieces.takeFirst(1).forEach(inTurn::add));
        }
        return inTurn;
    }

    private void postponeIfOfSeveral(int product) {
        int[] inputs = inputsOf(product).toArray();
        if (inputs.length > 1) {
            boolean isOfMates = IntStream.of(inputs).noneMatch(ledger.ownWork()::contains);
            (isOfMates ? ofMates : ofClusters).later.add(product);
            IntStream.of(inputs).forEach(ledger::postpone);
        }
    }

    /** A piece was produced; returns whether that made the inputs of another product requestable. */
    boolean produced(int piece) {
        return (ofMates.open.remove(piece) || ofClusters.open.remove(piece)) && fill();
    }

    /**
     * These pieces will not come. A node that waits for other inputs of such a product would never be done. So they become requestable at once; returns
     * whether there are any.
     */
    boolean givenUp(PieceSet pieces) {
        boolean hasGrown = ofMates.giveUp(pieces);
        hasGrown |= ofClusters.giveUp(pieces);
        return fill() || hasGrown;
    }

    private boolean fill() {
        boolean hasGrown = ofMates.fill();
        return ofClusters.fill() || hasGrown;
    }

    /** The inputs of a product that come from other nodes. */
    private IntStream inputsOf(int product) {
        return placement.inputsOf(product).stream().filter(fromOthers::contains);
    }

    /** Products of one kind, in their order. */
    private final class Row {
        private final int mostOpen;

        /** The products whose inputs may be requested. */
        private final Set<Integer> open = new HashSet<>();

        /** The products whose inputs wait. */
        private final Deque<Integer> later = new ArrayDeque<>();

        Row(int mostOpen) {
            this.mostOpen = mostOpen;
        }

        boolean fill() {
            boolean hasGrown = false;
            while (open.size() < mostOpen && !later.isEmpty()) {
                int product = later.remove();
                open.add(product);
                inputsOf(product).forEach(ledger::resume);
                hasGrown = true;
            }
            return hasGrown;
        }

        boolean giveUp(PieceSet pieces) {
            open.removeIf(pieces::contains);
            later.stream()
                    .filter(pieces::contains)
                    .flatMapToInt(ProductWindow.this::inputsOf)
                    .forEach(ledger::resume);
            return later.removeIf(pieces::contains);
        }
    }
}
