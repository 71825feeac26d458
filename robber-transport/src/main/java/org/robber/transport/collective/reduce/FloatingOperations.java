package org.robber.transport.collective.reduce;

import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;
import org.robber.Op;

/** Operations on floating-point numbers in arrays. Each has a loop of its own, which the compiler turns into vector instructions. */
final class FloatingOperations {
    private FloatingOperations() {}

    /** Null if there is no such operation. */
    static Op.@Nullable Combiner ofFloats(Op.Kind kind) {
        return switch (kind) {
            case SUM ->
                floats((a, b) -> {
                    for (int i = 0; i < a.length; i++) {
                        a[i] += b[i];
                    }
                });
            case PROD ->
                floats((a, b) -> {
                    for (int i = 0; i < a.length; i++) {
                        a[i] *= b[i];
                    }
                });
            case MIN ->
                floats((a, b) -> {
                    for (int i = 0; i < a.length; i++) {
                        a[i] = Math.min(a[i], b[i]);
                    }
                });
            case MAX ->
                floats((a, b) -> {
                    for (int i = 0; i < a.length; i++) {
                        a[i] = Math.max(a[i], b[i]);
                    }
                });
            case MIN_LOC -> floats((a, b) -> located(a, b, (x, y) -> x < y));
            case MAX_LOC -> floats((a, b) -> located(a, b, (x, y) -> x > y));
            default -> null;
        };
    }

    /** An operation on each two elements. */
    static Op.Combiner eachFloat(DoubleBinaryOperator operator) {
        return floats((a, b) -> {
            for (int i = 0; i < a.length; i++) {
                a[i] = (float) operator.applyAsDouble(a[i], b[i]);
            }
        });
    }

    private interface OnFloats {
        void combine(float[] left, float[] right);
    }

    private static Op.Combiner floats(OnFloats operation) {
        return (left, right) -> operation.combine(((FloatBuffer) left).array(), ((FloatBuffer) right).array());
    }

    private interface Wins {
        boolean over(double value, double other);
    }

    private static void located(float[] a, float[] b, Wins wins) {
        for (int i = 0; i + 1 < a.length; i += 2) {
            if (wins.over(b[i], a[i]) || (b[i] == a[i] && b[i + 1] < a[i + 1])) {
                a[i] = b[i];
                a[i + 1] = b[i + 1];
            }
        }
    }

    /** Null if there is no such operation. */
    static Op.@Nullable Combiner ofDoubles(Op.Kind kind) {
        return switch (kind) {
            case SUM ->
                doubles((a, b) -> {
                    for (int i = 0; i < a.length; i++) {
                        a[i] += b[i];
                    }
                });
            case PROD ->
                doubles((a, b) -> {
                    for (int i = 0; i < a.length; i++) {
                        a[i] *= b[i];
                    }
                });
            case MIN -> eachDouble(Math::min);
            case MAX -> eachDouble(Math::max);
            case MIN_LOC -> doubles((a, b) -> located(a, b, (x, y) -> x < y));
            case MAX_LOC -> doubles((a, b) -> located(a, b, (x, y) -> x > y));
            default -> null;
        };
    }

    /** An operation on each two elements. */
    static Op.Combiner eachDouble(DoubleBinaryOperator operator) {
        return doubles((a, b) -> {
            for (int i = 0; i < a.length; i++) {
                a[i] = operator.applyAsDouble(a[i], b[i]);
            }
        });
    }

    private interface OnDoubles {
        void combine(double[] left, double[] right);
    }

    private static Op.Combiner doubles(OnDoubles operation) {
        return (left, right) -> operation.combine(((DoubleBuffer) left).array(), ((DoubleBuffer) right).array());
    }

    private static void located(double[] a, double[] b, Wins wins) {
        for (int i = 0; i + 1 < a.length; i += 2) {
            if (wins.over(b[i], a[i]) || (b[i] == a[i] && b[i + 1] < a[i + 1])) {
                a[i] = b[i];
                a[i + 1] = b[i + 1];
            }
        }
    }
}
