/**
 * Plans of trees: which connections the data takes, and how much of it each tree carries. Some plans follow the clusters alone;
 * others compute trees and shares from the known bandwidths.
 */
@NullMarked
package org.robber.core.rivals.tree.plan;

import org.jspecify.annotations.NullMarked;
