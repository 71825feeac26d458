package org.robber.transport.security;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.security.MessageDigest;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.robber.transport.security.GreetingFailed.Kind;
import org.robber.transport.sockets.Sockets;

/**
 * Passes no decrypted bytes on before the other side has shown the certificate that its proof was given for. A third party that
 * relays the greeting of two nodes is stopped here: it has the private key of neither.
 */
final class EncryptionGuard extends ChannelInboundHandlerAdapter {
    private final SslHandler tls;
    private final byte[] proven;
    private boolean done;
    private boolean failed;

    /** @param proven digest of the certificate that must come */
    EncryptionGuard(SslHandler tls, byte[] proven) {
        this.tls = tls;
        this.proven = proven;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (handshake.isSuccess()) {
                check(context);
            } else {
                handshakeFailed(context, handshake.cause());
            }
        } else {
            super.userEventTriggered(context, event);
        }
    }

    private void check(ChannelHandlerContext context) throws SSLException {
        byte[] shown = Encryption.digest(tls.engine().getSession().getPeerCertificates()[0]);
        if (MessageDigest.isEqual(shown, proven)) {
            done = true;
            context.fireUserEventTriggered(GreetingDone.DONE);
        } else {
            fail(
                    context,
                    Kind.TLS,
                    "its certificate is not the one that it announced: a third party intercepts the connection");
        }
    }

    private void handshakeFailed(ChannelHandlerContext context, Throwable failure) {
        IOException broken = brokenConnection(failure);
        if (broken == null) {
            fail(context, Kind.TLS, "TLS handshake: " + reason(failure));
        } else {
            String how = broken instanceof ClosedChannelException
                    ? "it closed the connection"
                    : "its connection broke (" + Sockets.trouble(broken) + ")";
            fail(context, Kind.LEFT, how + " during the TLS handshake");
        }
    }

    /** The failure of the connection under the handshake; null if the handshake itself failed. The library wraps one in the other. */
    private static @Nullable IOException brokenConnection(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException broken && !(cause instanceof SSLException)) {
                return broken;
            }
        }
        return null;
    }

    /** What the library says of a certificate that it refuses is at the end of a chain of causes. */
    private static String reason(Throwable failure) {
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        boolean ofCertificate = deepest instanceof CertificateException
                || deepest instanceof CertPathValidatorException
                || deepest instanceof CertPathBuilderException;
        return ofCertificate
                ? "its certificate is not accepted here: " + deepest.getMessage()
                : String.valueOf(failure.getMessage());
    }

    private void fail(ChannelHandlerContext context, Kind kind, String why) {
        if (!failed) {
            failed = true;
            context.fireUserEventTriggered(new GreetingFailed(kind, why));
            context.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!done || failed) {
            ReferenceCountUtil.release(message);
            return;
        }
        // The other side has found our certificate right, too: it has nothing to say before.
        context.fireChannelRead(message);
        context.pipeline().remove(this);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        if (!done) {
            fail(context, Kind.LEFT, "it closed the connection during the TLS handshake");
        }
        super.channelInactive(context);
    }

    /** In TLS 1.3 the connecting side is done first, and hears only then that its certificate was refused. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Throwable root = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        if (root instanceof SSLException) {
            handshakeFailed(context, root);
        } else {
            context.fireExceptionCaught(cause);
        }
    }
}
