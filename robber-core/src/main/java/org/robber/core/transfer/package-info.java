/** Parts that strategies share by composition: what each peer wants and offers, who was asked for what, the end. */
@NullMarked
package org.robber.core.transfer;

import org.jspecify.annotations.NullMarked;
