package org.robber.transport.collective.reduce;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;
import org.robber.Op;
import org.robber.transport.collective.data.ElementType;

/** Combines elements of one type by one operation. Immutable. */
public final class Combination {
    /** Two arrays of this size fit into the nearest cache. A multiple of the size of each element, and of pairs of them. */
    private static final int STEP_BYTES = 1 << 13;

    private final ElementType type;
    private final Op.Combiner combiner;

    /** So much of each vector is combined at once. */
    private final int stepBytes;

    private Combination(ElementType type, Op.Combiner combiner, int stepBytes) {
        this.type = type;
        this.combiner = combiner;
        this.stepBytes = stepBytes;
    }

    /**
     * The combination of elements of this type.
     *
     * @throws IllegalArgumentException if the operation has none
     */
    public static Combination of(ElementType type, Op op) {
        boolean byUser = op.kind() == Op.Kind.USER;
        Op.Combiner combiner = byUser ? ofUser(type, op.function()) : builtIn(type, op.kind());
        checkArgument(combiner != null, "the operation '%s' does not combine elements of type %s", op, type);
        return new Combination(type, combiner, byUser ? Integer.MAX_VALUE : STEP_BYTES);
    }

    private static Op.@Nullable Combiner builtIn(ElementType type, Op.Kind kind) {
        return switch (type) {
            case BYTE -> IntegerOperations.ofBytes(kind);
            case INT -> IntegerOperations.ofInts(kind);
            case LONG -> IntegerOperations.ofLongs(kind);
            case FLOAT -> FloatingOperations.ofFloats(kind);
            case DOUBLE -> FloatingOperations.ofDoubles(kind);
            case CHAR, SHORT -> null;
        };
    }

    private static Op.@Nullable Combiner ofUser(ElementType type, @Nullable Object function) {
        if (function instanceof Op.Combiner combiner) {
            return type == ElementType.CHAR || type == ElementType.SHORT ? null : combiner;
        } else if (function instanceof IntBinaryOperator operator && type == ElementType.INT) {
            return IntegerOperations.eachInt(operator);
        } else if (function instanceof LongBinaryOperator operator && type == ElementType.LONG) {
            return IntegerOperations.eachLong(operator);
        } else if (function instanceof DoubleBinaryOperator operator && type == ElementType.FLOAT) {
            return FloatingOperations.eachFloat(operator);
        } else if (function instanceof DoubleBinaryOperator operator && type == ElementType.DOUBLE) {
            return FloatingOperations.eachDouble(operator);
        }
        return null;
    }

    /**
     * Combines vectors.
     *
     * @param vectors from left to right: at least one, of equal size, as bytes of little-endian order; their positions do not change
     * @param target takes the result, from its position on; its position does not change
     */
    void combine(List<ByteBuffer> vectors, ByteBuffer target) {
        int size = vectors.get(0).remaining();
        int step = Math.min(size, stepBytes);
        // Loops over arrays are the fastest.
        Buffer left = type.allocate(step / type.bytes());
        Buffer right = type.allocate(step / type.bytes());
        for (int at = 0; at < size; at += step) {
            int length = Math.min(step, size - at);
            load(part(vectors.get(0), at, length), left);
            for (ByteBuffer vector : vectors.subList(1, vectors.size())) {
                load(part(vector, at, length), right);
                combiner.combine(left, right);
                left.position(0).limit(length / type.bytes());
            }
            type.toBytes(left, part(target, at, length));
        }
    }

    private static ByteBuffer part(ByteBuffer bytes, int at, int length) {
        return bytes.slice(bytes.position() + at, length);
    }

    private void load(ByteBuffer bytes, Buffer elements) {
        type.fromBytes(bytes, elements.clear());
        elements.flip();
    }
}
