/** One node that joins a running job. */
@NullMarked
package org.robber.cli.join;

import org.jspecify.annotations.NullMarked;
