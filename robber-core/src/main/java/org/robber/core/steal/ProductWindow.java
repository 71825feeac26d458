package org.robber.core.steal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
    private final boolean isUsed;

    /** The products whose inputs come from mates alone. */
    private final Row ofMates = new Row(Tuning.OPEN_PRODUCTS_OF_MATES);

    /** The products for which inputs come from other clusters. */
    private final Row ofClusters = new Row(Tuning.OPEN_PRODUCTS);

    ProductWindow(NodeParts parts) {
        this.placement = parts.setup().placement();
        this.ledger = parts.ledger();
        this.isUsed = parts.variant() == StealingVariant.IMPROVED && placement.hasProducts();
        if (isUsed) {
            postponeInputs(parts.setup());
            fill();
        }
    }

    private void postponeInputs(NodeSetup setup) {
        Topology topology = setup.topology();
        PieceSet products = placement.producedBy(setup.rank());
        PieceSet fromOthers = ledger.possession().lacked().andNot(products);
        PieceSet fromClusters = placement.lackedBy(topology.clusterOf(setup.rank()), topology);
        for (int product : inTurn(products, setup)) {
            PieceSet inputs = PieceSet.empty(ledger.pieceCount());
            placement.inputsOf(product).forEach(inputs::add);
            inputs.retainAll(fromOthers);
            if (inputs.size() > 1 && ledger.possession().lacks(product)) {
                (inputs.countCommon(fromClusters) == 0 ? ofMates : ofClusters).later.add(product);
                inputs.forEach(ledger::postpone);
            }
        }
    }

    /** The products of a node, one for each cluster in turn, beginning with the cluster after its own. */
    private static List<Integer> inTurn(PieceSet products, NodeSetup setup) {
        Topology topology = setup.topology();
        PieceSet others = products.copy();
        List<PieceSet> left = new ArrayList<>();
        for (int i = 1; i < topology.clusterCount(); i++) {
            int cluster = (topology.clusterOf(setup.rank()) + i) % topology.clusterCount();
            PieceSet lacked = setup.placement().lackedBy(cluster, topology).and(others);
            others.removeAll(lacked);
            left.add(lacked);
        }
        left.add(others);
        List<Integer> inTurn = new ArrayList<>();
        while (!left.isEmpty()) {
            left.removeIf(PieceSet::isEmpty);
            left.forEach(pieces -> pieces.takeFirst(1).forEach(inTurn::add));
        }
        return inTurn;
    }

    /** A piece is here, produced or not; returns whether that made the inputs of a product requestable. */
    boolean possessed(int piece) {
        if (!isUsed) {
            return false;
        }
        if (ofMates.open.remove(piece) || ofClusters.open.remove(piece)) {
            return fill();
        }
        return ofMates.skip(piece) || ofClusters.skip(piece);
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

    private void resumeInputs(int product) {
        placement.inputsOf(product).forEach(ledger::resume);
    }

    /** Products of one kind. */
    private final class Row {
        private final int mostOpen;

        /** The products whose inputs may be requested. */
        private final Set<Integer> open = new HashSet<>();

        /** The products whose inputs wait, in their order. */
        private final Set<Integer> later = new LinkedHashSet<>();

        Row(int mostOpen) {
            this.mostOpen = mostOpen;
        }

        boolean fill() {
            boolean hasGrown = false;
            while (open.size() < mostOpen && !later.isEmpty()) {
                int product = later.iterator().next();
                later.remove(product);
                open.add(product);
                resumeInputs(product);
                hasGrown = true;
            }
            return hasGrown;
        }

        /** A product of a later turn may be there first: its inputs came because nobody else was to bring them. */
        boolean skip(int product) {
            boolean isThere = later.remove(product);
            if (isThere) {
                resumeInputs(product);
            }
            return isThere;
        }

        boolean giveUp(PieceSet pieces) {
            open.removeIf(pieces::contains);
            later.stream().filter(pieces::contains).forEach(ProductWindow.this::resumeInputs);
            return later.removeIf(pieces::contains);
        }
    }
}
