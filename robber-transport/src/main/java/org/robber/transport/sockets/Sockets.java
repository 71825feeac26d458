package org.robber.transport.sockets;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A few threads that serve sockets, and the kind of sockets they serve: epoll where the platform has it, NIO elsewhere.
 * Everything that a node connects can share one of these.
 */
public final class Sockets implements AutoCloseable {
    private static final int SHUTDOWN_LIMIT_SECONDS = 5;

    private final EventLoopGroup group;
    private final Kind kind;
    private final List<Runnable> closers;

    private Sockets(EventLoopGroup group, Kind kind, List<Runnable> closers) {
        this.group = group;
        this.kind = kind;
        this.closers = closers;
    }

    /** The implementations there are. */
    public enum Kind {
        /** Linux, through Netty's native code. */
        EPOLL(EpollSocketChannel.class, EpollServerSocketChannel.class),
        /** Everywhere, through the JDK. */
        NIO(NioSocketChannel.class, NioServerSocketChannel.class);

        private final Class<? extends SocketChannel> channel;
        private final Class<? extends ServerChannel> serverChannel;

        Kind(Class<? extends SocketChannel> channel, Class<? extends ServerChannel> serverChannel) {
            this.channel = channel;
            this.serverChannel = serverChannel;
        }

        /** The fastest kind that works here. */
        public static Kind best() {
            return Epoll.isAvailable() ? EPOLL : NIO;
        }

        private IoHandlerFactory ioHandlers() {
            return this == EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        }
    }

    /**
     * Starts event loops for the best kind of sockets.
     *
     * @param threads how many, at least 1; they start when they are first needed and don't keep the process alive
     */
    public static Sockets open(int threads) {
        return open(threads, Kind.best());
    }

    /** Starts event loops for this kind of sockets. */
    public static Sockets open(int threads, Kind kind) {
        List<Runnable> closers = new CopyOnWriteArrayList<>();
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("robber-io", /* daemon= */ true), loop -> {
                    IoHandler handler = kind.ioHandlers().newHandler(loop);
                    closers.add(() -> loop.execute(handler::prepareToDestroy));
                    return handler;
                });
        return new Sockets(group, kind, closers);
    }

    /** What is wrong with a connection: the system's words, without the name of its call that Netty puts before them. */
    public static String trouble(Throwable problem) {
        return String.valueOf(problem.getMessage()).replaceFirst("^\\w+\\(\\.\\.\\) failed[^:]*: ", "");
    }

    /** Runs the work on one of the loops after a pause, unless the loops have ended by then. */
    public void later(Runnable work, long pauseMillis) {
        try {
            var unused = group.schedule(work, pauseMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The loops have ended.
        }
    }

    /** The event loops. */
    public EventLoopGroup group() {
        return group;
    }

    /** What the platform offers. */
    public Kind kind() {
        return kind;
    }

    /** For connecting, on any of the loops. */
    public Bootstrap bootstrap() {
        return bootstrap(group);
    }

    /** For connecting, on one of the loops or on a part of them. */
    public Bootstrap bootstrap(EventLoopGroup loops) {
        return new Bootstrap().group(loops).channel(kind.channel).option(ChannelOption.TCP_NODELAY, true);
    }

    /** For listening, on any of the loops. */
    public ServerBootstrap serverBootstrap() {
        return serverBootstrap(group);
    }

    /** For listening, on one of the loops or on a part of them. */
    public ServerBootstrap serverBootstrap(EventLoopGroup loops) {
        // Without the address's reuse a job could not listen again where the one before has just ended.
        return new ServerBootstrap()
                .group(loops)
                .channel(kind.serverChannel)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .childOption(ChannelOption.TCP_NODELAY, true);
    }

    /**
     * For a socket that another process has bound, and that listens already: to be registered, not bound.
     *
     * @throws IOException if this is no {@link Kind#EPOLL}, which alone can do that
     */
    public ServerBootstrap adoptingBootstrap(int descriptor) throws IOException {
        if (kind != Kind.EPOLL) {
            throw new IOException("this platform has no epoll, which a socket of another process needs");
        }
        return new ServerBootstrap()
                .group(group)
                .channelFactory(() -> new EpollServerSocketChannel(descriptor))
                .childOption(ChannelOption.TCP_NODELAY, true);
    }

    /**
     * Ends the loops and closes what is still open. Waits, for at most 5 s, until their threads are gone, unless it is
     * called on one of them.
     */
    @Override
    public void close() {
        if (!group.isShuttingDown()) {
            // A loop closes its sockets when it is to end; but it misses that, and leaves them open, when it is told to
            // end just after it has looked.
            closers.forEach(Runnable::run);
        }
        boolean onLoop = false;
        for (var loop : group) {
            onLoop |= loop.inEventLoop();
        }
        var ended = group.shutdownGracefully(0, SHUTDOWN_LIMIT_SECONDS, TimeUnit.SECONDS);
        if (!onLoop) {
            boolean unused = ended.awaitUninterruptibly(SHUTDOWN_LIMIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Runs this later on the loop; returns false if the loop has ended. */
    public static boolean runOn(EventLoop loop, Runnable work) {
        try {
            loop.execute(work);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Runs this at once on its own loop, from elsewhere later, and never if the loop has ended. */
    public static void runIn(EventLoop loop, Runnable work) {
        if (loop.inEventLoop()) {
            work.run();
        } else {
            boolean unused = runOn(loop, work);
        }
    }
}
