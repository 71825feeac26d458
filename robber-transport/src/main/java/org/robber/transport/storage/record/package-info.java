/** Knowledge of a copy: the journal of its verified pieces, the records of complete copies, and the audit of a copy against them. */
@NullMarked
package org.robber.transport.storage.record;

import org.jspecify.annotations.NullMarked;
