package org.robber.transport.job;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.robber.JobOptions;
import org.robber.RankProgram;
import org.robber.SendLimits;
import org.robber.core.meeting.Group;
import org.robber.core.topology.Topology;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.job.peer.JobContext;
import org.robber.transport.job.peer.KnownNodes;
import org.robber.transport.job.peer.Nearness;
import org.robber.transport.link.pace.SendRates;
import org.robber.transport.mesh.Mesh;
import org.robber.transport.mesh.MeshNetwork;
import org.robber.transport.reach.PeerDialer;
import org.robber.transport.reach.PeerListener;
import org.robber.transport.reach.RelayChoice;
import org.robber.transport.reach.RelayService;
import org.robber.transport.security.Credentials;
import org.robber.transport.sockets.Sockets;
import org.robber.transport.storage.StorageThreads;

/** Nodes in this process, connected by real sockets on loopback and by a {@link SharedControlPlane}. */
public final class Cluster implements AutoCloseable {
    private static final long LIMIT_SECONDS = 120;

    private final List<Sockets> sockets = new ArrayList<>();
    private final List<PeerListener> listeners = new ArrayList<>();
    private final List<PeerDialer> dialers = new ArrayList<>();
    private final List<StorageThreads> storageThreads = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final SharedControlPlane controlPlane;
    private final Topology topology;
    private Duration connectTimeout = Duration.ofSeconds(20);
    private Duration idleTimeout = Duration.ofSeconds(20);
    private Duration peerStallTimeout = Duration.ofSeconds(20);
    private Duration stallTimeout = Duration.ofSeconds(60);
    private SendLimits sendLimits = SendLimits.none();

    public Cluster(long seed, int... clusterSizes) {
        this(seed, (rank, address) -> address, clusterSizes);
    }

    /** @param route where the peers of a rank are sent instead of to its own address */
    public Cluster(long seed, BiFunction<Integer, InetSocketAddress, InetSocketAddress> route, int... clusterSizes) {
        this.topology = Topology.ofSizes(clusterSizes);
        List<Member> members = new ArrayList<>();
        for (int rank = 0; rank < topology.size(); rank++) {
            Sockets loops = Sockets.open(1 + rank % 2);
            JobOptions options = JobOptions.of("test", "127.0.0.1", 0, rank, topology.size());
            PeerListener listener = PeerListener.open(loops, options, Credentials.of(options));
            sockets.add(loops);
            storageThreads.add(StorageThreads.open(2));
            listeners.add(listener);
            int port = route.apply(rank, new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port()))
                    .getPort();
            // Nearness does not take a short form for an address of this machine, so connections between neighbouring
            // clusters are paced.
            String address = topology.clusterOf(rank) % 2 == 0 ? "127.0.0.1" : "127.1";
            members.add(new Member(topology.clusterName(topology.clusterOf(rank)), "here", 1, address, port));
        }
        this.controlPlane = new SharedControlPlane(seed, members);
        for (int rank = 0; rank < topology.size(); rank++) {
            Roster roster = controlPlane.of(rank).roster();
            JobOptions options = JobOptions.of("test", "127.0.0.1", 0, rank, topology.size());
            listeners.get(rank).identify(rank, roster);
            dialers.add(new PeerDialer(sockets.get(rank), options, Credentials.of(options), rank, roster.seed()));
        }
    }

    public SharedControlPlane controlPlane() {
        return controlPlane;
    }

    int size() {
        return topology.size();
    }

    /** Before anything is run: how long it may stand still. */
    public void limitStalls(Duration newStallTimeout) {
        stallTimeout = newStallTimeout;
    }

    /** Before anything is run: how long connections for data may take to come. */
    void limitConnecting(Duration newConnectTimeout) {
        connectTimeout = newConnectTimeout;
    }

    /** Before anything is run: how long a peer may owe pieces and send nothing; its silence is no reason to end the connection. */
    void limitPeerStalls(Duration newPeerStallTimeout) {
        peerStallTimeout = newPeerStallTimeout;
        idleTimeout = Duration.ofMinutes(10);
    }

    /** Before anything is run: how fast each node sends. */
    void limitSending(SendLimits limits) {
        sendLimits = limits;
    }

    /** Before anything is run: how long a peer may say nothing, not even that it is alive. */
    void limitSilence(Duration newIdleTimeout) {
        idleTimeout = newIdleTimeout;
    }

    public JobContext context(int rank) {
        SendRates rates = new SendRates(sendLimits);
        Mesh mesh = Mesh.open(new MeshNetwork(
                controlPlane.of(rank),
                topology,
                sockets.get(rank),
                listeners.get(rank),
                dialers.get(rank),
                rates,
                Duration.ofSeconds(20),
                idleTimeout));
        return new JobContext(
                controlPlane.of(rank),
                new Nearness(controlPlane.of(rank).roster().members(), topology),
                new KnownNodes(controlPlane.of(rank).roster().members()),
                sockets.get(rank),
                listeners.get(rank),
                dialers.get(rank),
                new RelayService(
                        dialers.get(rank),
                        listeners.get(rank),
                        () -> controlPlane.of(rank).roster().members(),
                        RelayChoice.of(List.of(), controlPlane.of(rank).roster().members()),
                        idleTimeout),
                mesh,
                rates,
                storageThreads.get(rank),
                connectTimeout,
                idleTimeout,
                peerStallTimeout,
                stallTimeout);
    }

    /** Runs the program as every node at once; throws what the first of them threw. */
    void run(RankProgram program) throws Exception {
        List<Future<?>> running = new ArrayList<>();
        for (int rank = 0; rank < size(); rank++) {
            NettyJob job = new NettyJob(context(rank));
            NettyCommunicator world = new NettyCommunicator(job, Group.world(job.size()));
            running.add(threads.submit(() -> {
                program.run(world);
                return null;
            }));
        }
        for (Future<?> each : running) {
            try {
                each.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            } catch (TimeoutException e) {
                throw new AssertionError("a node hangs; threads: " + Thread.getAllStackTraces(), e);
            }
        }
    }

    @Override
    public void close() {
        listeners.forEach(PeerListener::close);
        threads.shutdownNow();
        storageThreads.forEach(StorageThreads::shutdownNow);
        sockets.forEach(Sockets::close);
    }
}
