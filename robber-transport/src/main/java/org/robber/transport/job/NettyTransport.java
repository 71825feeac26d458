package org.robber.transport.job;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.JobOptions;
import org.robber.Joiner;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Transport;
import org.robber.core.meeting.Group;
import org.robber.transport.collective.reduce.ReductionStorage;
import org.robber.transport.job.peer.JobContext;
import org.robber.transport.job.peer.KnownNodes;
import org.robber.transport.job.peer.Nearness;
import org.robber.transport.join.JoinerConnection;
import org.robber.transport.link.pace.SendRates;
import org.robber.transport.mesh.Mesh;
import org.robber.transport.mesh.MeshNetwork;
import org.robber.transport.rankzero.RendezvousListener;
import org.robber.transport.reach.Detours;
import org.robber.transport.reach.PeerDialer;
import org.robber.transport.reach.PeerListener;
import org.robber.transport.reach.RelayChoice;
import org.robber.transport.reach.RelayService;
import org.robber.transport.rendezvous.ControlPlane;
import org.robber.transport.rendezvous.Rendezvous;
import org.robber.transport.security.Credentials;
import org.robber.transport.sockets.CongestionControl;
import org.robber.transport.sockets.Sockets;
import org.robber.transport.storage.StorageThreads;

/** Jobs over TCP: epoll where the platform has it, NIO elsewhere. */
public final class NettyTransport implements Transport {
    private static final int MAX_IO_THREADS = 4;

    /** From here on, rank 0 has more to greet than one thread should. */
    private static final int MANY_NODES = 256;

    @Override
    public String name() {
        return "netty";
    }

    @Override
    public JoinedJob join(JobOptions options, IntConsumer listening) {
        Credentials credentials = Credentials.of(options);
        Sockets sockets = Sockets.open(ioThreads(options, Runtime.getRuntime().availableProcessors()));
        StorageThreads storageThreads = StorageThreads.open();
        PeerListener listener = null;
        ControlPlane controlPlane = null;
        try {
            new CongestionControl(options.congestion()).check(sockets, options.rank());
            checkYielding(options, sockets);
            listener = PeerListener.open(sockets, options, credentials);
            controlPlane = options.rank() == 0
                    ? RendezvousListener.join(
                            options, credentials, sockets, listener.addresses(), listener.port(), listening)
                    : Rendezvous.join(options, credentials, sockets, listener.addresses(), listener.port());
            listener.identify(controlPlane.rank(), controlPlane.roster());
            return new Joined(controlPlane, sockets, listener, credentials, storageThreads, options);
        } catch (RuntimeException e) {
            release(controlPlane, listener, sockets, storageThreads);
            throw e;
        }
    }

    @Override
    public Joiner joinLate(JobOptions options) {
        Credentials credentials = Credentials.of(options);
        Sockets sockets = Sockets.open(1);
        StorageThreads storageThreads = StorageThreads.open();
        PeerListener listener = null;
        JoinerConnection connection = null;
        try {
            new CongestionControl(options.congestion()).check(sockets, options.rank());
            // It connects to members. Those that it cannot reach connect to it when it asks them to.
            PeerListener own = PeerListener.open(sockets, options, credentials);
            listener = own;
            connection = Rendezvous.joinLate(options, credentials, sockets, own.addresses(), own.port());
            own.identify(connection.rank(), connection.roster());
            PeerDialer dialer = new PeerDialer(
                    sockets,
                    options,
                    credentials,
                    connection.rank(),
                    connection.roster().seed());
            return new NettyJoiner(
                    options,
                    connection,
                    sockets,
                    own,
                    dialer,
                    storageThreads,
                    () -> release(null, own, sockets, storageThreads));
        } catch (RuntimeException e) {
            if (connection != null) {
                connection.close();
            }
            release(null, listener, sockets, storageThreads);
            throw e;
        }
    }

    private static void checkYielding(JobOptions options, Sockets sockets) {
        if (options.sendLimits().yields() && sockets.kind() != Sockets.Kind.EPOLL) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(options.rank()),
                    "connect",
                    "rank " + options.rank() + " cannot leave lines to other traffic (--nice): only Linux tells how a"
                            + " connection fares; --bwlimit limits it everywhere");
        }
    }

    /** One loop carries a few gigabytes a second; more only help where there are processors to spare, and at rank 0 of a large job. */
    private static int ioThreads(JobOptions options, int processors) {
        boolean manyGreetings = options.rank() == 0 && options.size() >= MANY_NODES;
        return Math.max(1, Math.min(MAX_IO_THREADS, manyGreetings ? processors : processors / 4));
    }

    private static void release(
            @Nullable ControlPlane controlPlane,
            @Nullable PeerListener listener,
            Sockets sockets,
            StorageThreads storageThreads) {
        if (controlPlane != null) {
            controlPlane.close();
        }
        if (listener != null) {
            listener.close();
        }
        storageThreads.end();
        sockets.close();
    }

    /** A job that this node takes part in. */
    private static final class Joined implements JoinedJob {
        /** Longer than rank 0 may take to answer a failure. */
        private static final long SETTLE_LIMIT_SECONDS = 3;

        private final ControlPlane controlPlane;
        private final Sockets sockets;
        private final PeerListener listener;
        private final StorageThreads storageThreads;
        private final RelayService relays;
        private final Mesh mesh;
        private final NettyJob job;
        private final NettyCommunicator world;

        Joined(
                ControlPlane controlPlane,
                Sockets sockets,
                PeerListener listener,
                Credentials credentials,
                StorageThreads storageThreads,
                JobOptions options) {
            this.controlPlane = controlPlane;
            this.sockets = sockets;
            this.listener = listener;
            this.storageThreads = storageThreads;
            KnownNodes knownNodes = new KnownNodes(controlPlane.roster().members());
            PeerDialer dialer = new PeerDialer(
                    sockets,
                    options,
                    credentials,
                    controlPlane.rank(),
                    controlPlane.roster().seed());
            RelayChoice choice = RelayChoice.of(options.relays(), knownNodes.members());
            Detours detours = Detours.open(dialer, listener, knownNodes::members, choice, controlPlane::callBack);
            controlPlane.onCallBack(detours::connectBack);
            this.relays = new RelayService(
                    dialer,
                    listener,
                    knownNodes::members,
                    choice,
                    options.silenceTimeout().multipliedBy(2));
            SendRates sendRates = new SendRates(options.sendLimits());
            this.mesh = Mesh.open(new MeshNetwork(
                    controlPlane,
                    knownNodes.topology(),
                    sockets,
                    listener,
                    dialer,
                    sendRates,
                    options.connectTimeout(),
                    options.silenceTimeout()));
            this.job = new NettyJob(new JobContext(
                    controlPlane,
                    new Nearness(controlPlane.roster().members(), knownNodes.topology()),
                    knownNodes,
                    sockets,
                    listener,
                    dialer,
                    relays,
                    mesh,
                    sendRates,
                    storageThreads,
                    options.connectTimeout(),
                    options.silenceTimeout(),
                    options.peerStallTimeout(),
                    options.stallTimeout()));
            job.listen(mesh::lost);
            controlPlane.onLeft(mesh::left);
            job.listen((rank, why) -> detours.lose(rank));
            this.world = new NettyCommunicator(job, Group.world(job.size()));
        }

        @Override
        public Communicator world() {
            return world;
        }

        @Override
        public void close() {
            // Peers that hear of a peaceful leave before they hear that this node gave up would end the job.
            controlPlane
                    .settled()
                    .completeOnTimeout(null, SETTLE_LIMIT_SECONDS, TimeUnit.SECONDS)
                    .join();
            mesh.close();
            job.leave();
            relays.close();
            release(controlPlane, listener, sockets, storageThreads);
            ReductionStorage.OF_PROCESS.freeAll();
        }
    }
}
