package org.robber;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.List;
import java.util.function.LongBinaryOperator;
import java.util.stream.Stream;

/** An operation of a reduction, and its model on numbers: {@code left} becomes {@code left op right}. */
record Combining(Op op, boolean paired, Model model) {
    private static final List<ElementForm.Type> TYPES = List.of(
            ElementForm.Type.BYTE,
            ElementForm.Type.INT,
            ElementForm.Type.LONG,
            ElementForm.Type.FLOAT,
            ElementForm.Type.DOUBLE);

    /** For floating-point numbers only what they can do without rounding, if they are small. */
    private static final List<Combining> OF_ALL = List.of(
            single(Op.SUM, Long::sum),
            single(Op.PROD, (a, b) -> a * b),
            single(Op.MIN, Math::min),
            single(Op.MAX, Math::max),
            new Combining(Op.of("compose", /* commutative= */ false, Combining::compose), true, Combining::compose));

    private static final List<Combining> LOCATED = List.of(located(Op.MIN_LOC, -1), located(Op.MAX_LOC, 1));

    private static final List<Combining> OF_INTEGERS =
            List.of(single(Op.AND, (a, b) -> a & b), single(Op.OR, (a, b) -> a | b), single(Op.XOR, (a, b) -> a ^ b));

    /** Combines numbers in place; they become elements of the type afterwards. */
    interface Model {
        void combine(ElementForm.Type type, long[] left, long[] right);
    }

    static List<ElementForm.Type> types() {
        return TYPES;
    }

    /** All operations on elements of this type. */
    static List<Combining> of(ElementForm.Type type) {
        return switch (type) {
            case INT -> integers(single(Op.ofInts("right", false, (a, b) -> b), (a, b) -> b));
            case LONG -> integers(single(Op.ofLongs("gcd", true, Combining::gcd), Combining::gcd));
            case BYTE -> with(OF_ALL, OF_INTEGERS);
            default ->
                with(with(OF_ALL, LOCATED), List.of(single(Op.ofDoubles("left", false, (a, b) -> a), (a, b) -> a)));
        };
    }

    private static List<Combining> integers(Combining own) {
        return with(with(with(OF_ALL, LOCATED), OF_INTEGERS), List.of(own));
    }

    private static List<Combining> with(List<Combining> some, List<Combining> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    private static long gcd(long a, long b) {
        return b == 0 ? Math.abs(a) : gcd(b, a % b);
    }

    private static Combining single(Op op, LongBinaryOperator operator) {
        return new Combining(op, false, (type, left, right) -> {
            for (int i = 0; i < left.length; i++) {
                left[i] = wrap(type, operator.applyAsLong(left[i], right[i]));
            }
        });
    }

    private static Combining located(Op op, int sign) {
        return new Combining(op, true, (type, left, right) -> {
            for (int i = 0; i < left.length; i += 2) {
                int order = sign * Long.compare(right[i], left[i]);
                if (order > 0 || (order == 0 && right[i + 1] < left[i + 1])) {
                    left[i] = right[i];
                    left[i + 1] = right[i + 1];
                }
            }
        });
    }

    /** Pairs are functions: (a, b) is x -> a * x + b. Their order counts, and elements depend on one another. */
    private static void compose(ElementForm.Type type, long[] left, long[] right) {
        for (int i = 0; i < left.length; i += 2) {
            left[i + 1] = wrap(type, left[i] * right[i + 1] + left[i + 1]);
            left[i] = wrap(type, left[i] * right[i]);
        }
    }

    private static void compose(Buffer left, Buffer right) {
        for (int i = 0; i < left.limit(); i += 2) {
            put(left, i + 1, get(left, i) * get(right, i + 1) + get(left, i + 1));
            put(left, i, get(left, i) * get(right, i));
        }
    }

    /** The number as an element of this type. */
    static long wrap(ElementForm.Type type, long number) {
        return switch (type) {
            case BYTE -> (byte) number;
            case INT -> (int) number;
            default -> number;
        };
    }

    static long get(Buffer buffer, int index) {
        if (buffer instanceof ByteBuffer bytes) {
            return bytes.get(index);
        } else if (buffer instanceof IntBuffer ints) {
            return ints.get(index);
        } else if (buffer instanceof LongBuffer longs) {
            return longs.get(index);
        } else if (buffer instanceof FloatBuffer floats) {
            return (long) floats.get(index);
        }
        return (long) ((DoubleBuffer) buffer).get(index);
    }

    static void put(Buffer buffer, int index, long number) {
        if (buffer instanceof ByteBuffer bytes) {
            bytes.put(index, (byte) number);
        } else if (buffer instanceof IntBuffer ints) {
            ints.put(index, (int) number);
        } else if (buffer instanceof LongBuffer longs) {
            longs.put(index, number);
        } else if (buffer instanceof FloatBuffer floats) {
            floats.put(index, (float) number);
        } else {
            ((DoubleBuffer) buffer).put(index, (double) number);
        }
    }
}
