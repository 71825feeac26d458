/**
 * Strategies that plan one or more trees beforehand and let the data flow along them: from the chain to Balanced
 * Multicasting. They differ in their {@link org.robber.core.rivals.tree.plan.Forest} and share one machine.
 */
@NullMarked
package org.robber.core.rivals.tree;

import org.jspecify.annotations.NullMarked;
