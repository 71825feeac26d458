package org.robber.transport.collective.reduce;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;
import org.robber.Op;

/** Operations on integers in arrays. Each has a loop of its own, which the compiler turns into vector instructions. */
final class IntegerOperations {
    private IntegerOperations() {}

    /** Null if there is no such operation. */
    static Op.@Nullable Combiner ofBytes(Op.Kind kind) {
        return switch (kind) {
            case SUM -> bytes((a, b) -> a + b);
            case PROD -> bytes((a, b) -> a * b);
            case MIN -> bytes(Math::min);
            case MAX -> bytes(Math::max);
            case AND -> bytes((a, b) -> a & b);
            case OR -> bytes((a, b) -> a | b);
            case XOR -> bytes((a, b) -> a ^ b);
            default -> null;
        };
    }

    private static Op.Combiner bytes(IntBinaryOperator operator) {
        return (left, right) -> {
            byte[] a = ((ByteBuffer) left).array();
            byte[] b = ((ByteBuffer) right).array();
            for (int i = 0; i < a.length; i++) {
                a[i] = (byte) operator.applyAsInt(a[i], b[i]);
            }
        };
    }

    /** Null if there is no such operation. */
    static Op.@Nullable Combiner ofInts(Op.Kind kind) {
        return switch (kind) {
            case SUM ->
                ints((a, b) -> {
                    for (int i = 0; i < a.length; i++) {
                        a[i] += b[i];
                    }
                });
            case PROD ->
                ints((a, b) -> {
                    for (int i = 0; i < a.length; i++) {
                        a[i] *= b[i];
                    }
                });
            case MIN ->
                ints((a, b) -> {
                    for (int i = 0; i < a.length; i++) {
                        a[i] = Math.min(a[i], b[i]);
                    }
                });
            case MAX ->
                ints((a, b) -> {
                    for (int i = 0; i < a.length; i++) {
                        a[i] = Math.max(a[i], b[i]);
                    }
                });
            case AND -> eachInt((a, b) -> a & b);
            case OR -> eachInt((a, b) -> a | b);
            case XOR -> eachInt((a, b) -> a ^ b);
            case MIN_LOC -> ints((a, b) -> located(a, b, (x, y) -> x < y));
            case MAX_LOC -> ints((a, b) -> located(a, b, (x, y) -> x > y));
            case USER -> null;
        };
    }

    /** An operation on each two elements. */
    static Op.Combiner eachInt(IntBinaryOperator operator) {
        return ints((a, b) -> {
            for (int i = 0; i < a.length; i++) {
                a[i] = operator.applyAsInt(a[i], b[i]);
            }
        });
    }

    private interface OnInts {
        void combine(int[] left, int[] right);
    }

    private static Op.Combiner ints(OnInts operation) {
        return (left, right) -> operation.combine(((IntBuffer) left).array(), ((IntBuffer) right).array());
    }

    private interface Wins {
        boolean over(long value, long other);
    }

    private static void located(int[] a, int[] b, Wins wins) {
        for (int i = 0; i + 1 < a.length; i += 2) {
            if (wins.over(b[i], a[i]) || (b[i] == a[i] && b[i + 1] < a[i + 1])) {
                a[i] = b[i];
                a[i + 1] = b[i + 1];
            }
        }
    }

    /** Null if there is no such operation. */
    static Op.@Nullable Combiner ofLongs(Op.Kind kind) {
        return switch (kind) {
            case SUM ->
                longs((a, b) -> {
                    for (int i = 0; i < a.length; i++) {
                        a[i] += b[i];
                    }
                });
            case PROD ->
                longs((a, b) -> {
                    for (int i = 0; i < a.length; i++) {
                        a[i] *= b[i];
                    }
                });
            case MIN -> eachLong(Math::min);
            case MAX -> eachLong(Math::max);
            case AND -> eachLong((a, b) -> a & b);
            case OR -> eachLong((a, b) -> a | b);
            case XOR -> eachLong((a, b) -> a ^ b);
            case MIN_LOC -> longs((a, b) -> located(a, b, (x, y) -> x < y));
            case MAX_LOC -> longs((a, b) -> located(a, b, (x, y) -> x > y));
            case USER -> null;
        };
    }

    /** An operation on each two elements. */
    static Op.Combiner eachLong(LongBinaryOperator operator) {
        return longs((a, b) -> {
            for (int i = 0; i < a.length; i++) {
                a[i] = operator.applyAsLong(a[i], b[i]);
            }
        });
    }

    private interface OnLongs {
        void combine(long[] left, long[] right);
    }

    private static Op.Combiner longs(OnLongs operation) {
        return (left, right) -> operation.combine(((LongBuffer) left).array(), ((LongBuffer) right).array());
    }

    private static void located(long[] a, long[] b, Wins wins) {
        for (int i = 0; i + 1 < a.length; i += 2) {
            if (wins.over(b[i], a[i]) || (b[i] == a[i] && b[i + 1] < a[i + 1])) {
                a[i] = b[i];
                a[i + 1] = b[i + 1];
            }
        }
    }
}
