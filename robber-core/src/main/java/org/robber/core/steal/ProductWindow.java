package org.robber.core.steal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.DataPlacement;
import org.robber.core.tuning.Tuning;

/**
 * The products for which a node requests inputs: the next few that are made of pieces of several other clusters. The inputs of later
 * products wait. So a fast line does not run ahead with inputs whose counterparts come over a slow line. It relays pieces of the slow
 * line instead, and products are there early for those who want them.
 */
final class ProductWindow {
    private final DataPlacement placement;
    private final PieceLedger ledger;

    /** The products whose inputs are work. */
    private final Set<Integer> open = new HashSet<>();

    /** The products whose inputs wait, in ascending order. */
    private final Deque<Integer> later = new ArrayDeque<>();

    /** @param sources by cluster: pieces that a node there owns and that this node can get through relays */
    ProductWindow(NodeParts parts, List<PieceSet> sources) {
        this.placement = parts.setup().placement();
        this.ledger = parts.ledger();
        if (!sources.isEmpty()) {
            placement.producedBy(parts.setup().rank()).forEach(product -> postponeIfOfSeveral(sources, product));
            fill();
        }
    }

    private void postponeIfOfSeveral(List<PieceSet> sources, int product) {
        PieceSet inputs = inputsOf(product);
        long clusters = sources.stream()
                .filter(pieces -> pieces.countCommon(inputs) > 0)
                .count();
        if (clusters > 1) {
            later.add(product);
            ledger.postpone(inputs);
        }
    }

    /** A piece was produced; returns whether that made the inputs of another product work. */
    boolean produced(int piece) {
        return open.remove(piece) && fill();
    }

    /**
     * These pieces will not come. A node that waits for other inputs of such a product would never be done. So they become work at once; returns
     * whether there are any.
     */
    boolean givenUp(PieceSet pieces) {
        List<Integer> lost = later.stream().filter(pieces::contains).toList();
        lost.forEach(product -> ledger.resume(inputsOf(product)));
        later.removeIf(pieces::contains);
        open.removeIf(pieces::contains);
        return fill() || !lost.isEmpty();
    }

    private boolean fill() {
        boolean hasGrown = false;
        while (open.size() < Tuning.OPEN_PRODUCTS && !later.isEmpty()) {
            int product = later.remove();
            open.add(product);
            ledger.resume(inputsOf(product));
            hasGrown = true;
        }
        return hasGrown;
    }

    private PieceSet inputsOf(int product) {
        PieceSet inputs = PieceSet.empty(ledger.pieceCount());
        placement.inputsOf(product).forEach(inputs::add);
        return inputs;
    }
}
