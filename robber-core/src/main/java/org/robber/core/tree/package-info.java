/**
 * Strategies that plan one or more trees beforehand and let the data flow along them: from the chain to Balanced
 * Multicasting. They differ in their plans, a {@link org.robber.core.tree.Forest}, and share one machine.
 */
@NullMarked
package org.robber.core.tree;

import org.jspecify.annotations.NullMarked;
