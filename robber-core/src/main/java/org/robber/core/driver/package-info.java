/**
 * Decisions that every driver of the machines takes: whom to connect to when nodes are lost or join, and which
 * answer belongs to which request. Simulator and transport run the same code, so that simulated faults test what users run.
 */
@NullMarked
package org.robber.core.driver;

import org.jspecify.annotations.NullMarked;
