/** Connections with a daemon, as streams of bytes for threads that wait: both sides prove a secret first, as nodes do. */
@NullMarked
package org.robber.transport.service;

import org.jspecify.annotations.NullMarked;
