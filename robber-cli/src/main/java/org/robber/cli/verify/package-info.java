/** Compares copies with their records, and repairs them. */
@NullMarked
package org.robber.cli.verify;

import org.jspecify.annotations.NullMarked;
