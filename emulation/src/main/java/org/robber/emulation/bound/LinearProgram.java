package org.robber.emulation.bound;

import java.util.ArrayList;
import java.util.List;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;

/**
 * A linear program to which rows can be added after it was solved. All variables are 0 or more. Numbers should be around 1:
 * the solver treats values below some 1e-9 as rounding.
 */
final class LinearProgram {
    private final ExpressionsBasedModel model = new ExpressionsBasedModel();

    /** A sum of variables with factors, to be bounded. */
    final class Row {
        private final List<Term> terms = new ArrayList<>();

        private record Term(int variable, double factor) {}

        private Row() {}

        Row add(int variable, double factor) {
            terms.add(new Term(variable, factor));
            return this;
        }

        /** A new row: the sum of this one and others. */
        Row and(Row... others) {
            Row sum = new Row();
            sum.terms.addAll(terms);
            for (Row other : others) {
                sum.terms.addAll(other.terms);
            }
            return sum;
        }

        void atMost(double limit) {
            expression().upper(limit);
        }

        void atLeast(double limit) {
            expression().lower(limit);
        }

        private Expression expression() {
            Expression expression = model.newExpression("row " + model.countExpressions());
            for (Term term : terms) {
                expression.add(term.variable, term.factor);
            }
            return expression;
        }
    }

    /** Adds a variable with this coefficient in the objective. */
    int variable(double objective) {
        int index = model.countVariables();
        Variable variable = model.newVariable("variable " + index).lower(0);
        if (objective != 0) {
            variable.weight(objective);
        }
        return index;
    }

    void atMost(int variable, double limit) {
        model.getVariable(variable).upper(limit);
    }

    Row row() {
        return new Row();
    }

    /** The values of the variables, by their numbers; empty if the rows contradict each other. */
    double[] maximise() {
        return values(model.maximise());
    }

    /** The values of the variables, by their numbers; empty if the rows contradict each other. */
    double[] minimise() {
        return values(model.minimise());
    }

    private static double[] values(Optimisation.Result result) {
        if (result.getState() == Optimisation.State.INFEASIBLE) {
            return new double[0];
        }
        if (!result.getState().isOptimal()) {
            throw new ArithmeticException("no optimum: " + result.getState());
        }
        return result.toRawCopy1D();
    }
}
