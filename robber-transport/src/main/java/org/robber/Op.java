package org.robber;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How a reduction combines the elements of two nodes. Operations are associative. A reduction gives the same bits each time. The order of combination
 * depends only on the clusters, whether all nodes share memory, the strategy, the size of the data, and the operation. Nodes of one machine share memory unless
 * {@code /dev/shm} lacks room for the vectors, sending is limited, or containers keep them apart.
 *
 * <p>Elements are of type {@code byte}, {@code int}, {@code long}, {@code float} or {@code double}. Integers wrap around.
 */
public final class Op {
    /** The sum. */
    public static final Op SUM = new Op("sum", Kind.SUM);

    /** The product. */
    public static final Op PROD = new Op("prod", Kind.PROD);

    /** The smaller one; NaN, if one is NaN. */
    public static final Op MIN = new Op("min", Kind.MIN);

    /** The larger one; NaN, if one is NaN. */
    public static final Op MAX = new Op("max", Kind.MAX);

    /** The bits that both have. For integers. */
    public static final Op AND = new Op("and", Kind.AND);

    /** The bits that one has. For integers. */
    public static final Op OR = new Op("or", Kind.OR);

    /** The bits that exactly one has. For integers. */
    public static final Op XOR = new Op("xor", Kind.XOR);

    /**
     * The smaller value and its location. Elements are pairs, each a value and then its location; of equal values, the one with the smaller
     * location wins. Not for elements of type {@code byte}.
     */
    public static final Op MIN_LOC = new Op("minLoc", Kind.MIN_LOC);

    /** The larger value and its location; as {@link #MIN_LOC}. */
    public static final Op MAX_LOC = new Op("maxLoc", Kind.MAX_LOC);

    /** The longest name, in {@code char}s. */
    public static final int MOST_NAME_CHARACTERS = 100;

    /** What the operations do. */
    public enum Kind {
        SUM,
        PROD,
        MIN,
        MAX,
        AND,
        OR,
        XOR,
        MIN_LOC,
        MAX_LOC,
        /** An operation of the user, on elements of one type or on buffers. */
        USER
    }

    /** Combines many elements at once. */
    @FunctionalInterface
    public interface Combiner {
        /**
         * Puts {@code left op right} in the place of {@code left}, element by element. Both hold equally many elements, from position 0 to their
         * limits: a part of the data, or of blocks in a row in a {@code reduceScatter}, that begins at a multiple of 16 bytes. So values of two
         * or four elements, such as complex numbers, are not divided if they have at most 16 bytes.
         *
         * @param left a buffer of the type of the data, such as {@link java.nio.FloatBuffer}; of the lower ranks
         * @param right of the same type; not to be changed
         */
        void combine(Buffer left, Buffer right);
    }

    private final String name;
    private final Kind kind;
    private final boolean commutative;
    private final @Nullable Object function;

    private Op(String name, Kind kind) {
        this(name, kind, /* commutative= */ true, null);
    }

    private Op(String name, Kind kind, boolean commutative, @Nullable Object function) {
        checkArgument(
                name.length() <= MOST_NAME_CHARACTERS
                        && name.chars().noneMatch(Character::isISOControl)
                        && StandardCharsets.UTF_8.newEncoder().canEncode(name),
                "the name of an operation is a line of at most %s characters: %s",
                MOST_NAME_CHARACTERS,
                name);
        this.name = name;
        this.kind = kind;
        this.commutative = commutative;
        this.function = function;
    }

    /**
     * An operation of the user on buffers of any type.
     *
     * @param name the same on all nodes, which compare it; at most {@value #MOST_NAME_CHARACTERS} characters
     * @param commutative whether {@code a op b} is {@code b op a}; if not, ranks are combined in their order
     */
    public static Op of(String name, boolean commutative, Combiner combiner) {
        return ofUser(name, commutative, combiner);
    }

    /** An operation of the user on elements of type {@code int}; as {@link #of}. */
    public static Op ofInts(String name, boolean commutative, IntBinaryOperator operator) {
        return ofUser(name, commutative, operator);
    }

    /** An operation of the user on elements of type {@code long}; as {@link #of}. */
    public static Op ofLongs(String name, boolean commutative, LongBinaryOperator operator) {
        return ofUser(name, commutative, operator);
    }

    /** An operation of the user on elements of type {@code double} or {@code float}; as {@link #of}. */
    public static Op ofDoubles(String name, boolean commutative, DoubleBinaryOperator operator) {
        return ofUser(name, commutative, operator);
    }

    private static Op ofUser(String name, boolean commutative, @Nullable Object function) {
        checkArgument(name != null, "the name is null");
        checkArgument(function != null, "the operation '%s' is null", name);
        return new Op(name, Kind.USER, commutative, function);
    }

    /** The name, which all nodes compare. */
    public String name() {
        return name;
    }

    /** What the operation does. */
    public Kind kind() {
        return kind;
    }

    /** Whether both sides may change places. */
    public boolean isCommutative() {
        return commutative;
    }

    /** The operation of the user: a {@link Combiner} or an operator of {@link java.util.function}; null for other kinds. */
    public @Nullable Object function() {
        return function;
    }

    @Override
    public String toString() {
        return name;
    }
}
