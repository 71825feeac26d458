package org.robber.transport.collective;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;
import org.robber.Op;

/** Combines elements of one type by one operation. Immutable. */
final class Combination {
    private final ElementType type;
    private final Op.Combiner combiner;

    private Combination(ElementType type, Op.Combiner combiner) {
        this.type = type;
        this.combiner = combiner;
    }

    /**
     * The combination of elements of this type.
     *
     * @throws IllegalArgumentException if the operation has none
     */
    static Combination of(ElementType type, Op op) {
        Op.Combiner combiner = op.kind() == Op.Kind.USER ? ofUser(type, op.function()) : builtIn(type, op.kind());
        checkArgument(combiner != null, "the operation '%s' does not combine elements of type %s", op, type);
        return new Combination(type, combiner);
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
     * @return a new vector
     */
    ByteBuffer combine(List<ByteBuffer> vectors) {
        Buffer left = load(vectors.get(0));
        for (ByteBuffer right : vectors.subList(1, vectors.size())) {
            combiner.combine(left, load(right));
            left.clear();
        }
        return store(left);
    }

    /** The elements in an array of their own: loops over arrays are the fastest. */
    private Buffer load(ByteBuffer vector) {
        ByteBuffer bytes = vector.slice().order(ByteOrder.LITTLE_ENDIAN);
        int count = bytes.remaining() / type.bytes();
        return switch (type) {
            case BYTE, CHAR, SHORT -> ByteBuffer.allocate(count).put(bytes).flip();
            case INT -> IntBuffer.allocate(count).put(bytes.asIntBuffer()).flip();
            case LONG -> LongBuffer.allocate(count).put(bytes.asLongBuffer()).flip();
            case FLOAT -> FloatBuffer.allocate(count).put(bytes.asFloatBuffer()).flip();
            case DOUBLE ->
                DoubleBuffer.allocate(count).put(bytes.asDoubleBuffer()).flip();
        };
    }

    private ByteBuffer store(Buffer elements) {
        ByteBuffer vector =
                ByteBuffer.allocate(elements.remaining() * type.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        switch (type) {
            case BYTE, CHAR, SHORT -> vector.slice().put((ByteBuffer) elements);
            case INT -> vector.asIntBuffer().put((IntBuffer) elements);
            case LONG -> vector.asLongBuffer().put((LongBuffer) elements);
            case FLOAT -> vector.asFloatBuffer().put((FloatBuffer) elements);
            case DOUBLE -> vector.asDoubleBuffer().put((DoubleBuffer) elements);
        }
        return vector;
    }
}
