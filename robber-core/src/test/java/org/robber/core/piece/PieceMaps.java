package org.robber.core.piece;

/** Piece sets as drawings: {@code ##..#} are the pieces 0, 1 and 4 of 5. */
public final class PieceMaps {

    private PieceMaps() {}

    /** The set in the drawing; blanks are for the reader's eye and count for nothing. */
    public static PieceSet parse(String drawing) {
        String cells = drawing.replace(" ", "");
        PieceSet set = PieceSet.empty(cells.length());
        for (int piece = 0; piece < cells.length(); piece++) {
            switch (cells.charAt(piece)) {
                case '#' -> set.add(piece);
                case '.' -> {}
                default -> throw new IllegalArgumentException("neither # nor . : " + drawing);
            }
        }
        return set;
    }

    /** The drawing of a set. */
    public static String draw(PieceSet set) {
        StringBuilder drawing = new StringBuilder();
        for (int piece = 0; piece < set.capacity(); piece++) {
            drawing.append(set.contains(piece) ? '#' : '.');
        }
        return drawing.toString();
    }
}
