/** The data of a call: buffers and arrays of users, their elements, parts and pieces, and who brings which part to whom. */
@NullMarked
package org.robber.transport.collective.data;

import org.jspecify.annotations.NullMarked;
