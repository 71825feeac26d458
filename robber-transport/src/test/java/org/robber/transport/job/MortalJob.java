package org.robber.transport.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.MulticastChannel;
import org.robber.RankProgram;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.SendLimits;
import org.robber.core.meeting.Group;
import org.robber.core.topology.Topology;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.job.peer.JobContext;
import org.robber.transport.job.peer.KnownNodes;
import org.robber.transport.job.peer.Nearness;
import org.robber.transport.link.pace.SendRates;
import org.robber.transport.mesh.Mesh;
import org.robber.transport.mesh.MeshNetwork;
import org.robber.transport.rankzero.RendezvousListener;
import org.robber.transport.reach.PeerDialer;
import org.robber.transport.reach.PeerListener;
import org.robber.transport.reach.RelayChoice;
import org.robber.transport.reach.RelayService;
import org.robber.transport.rendezvous.ControlPlane;
import org.robber.transport.rendezvous.Rendezvous;
import org.robber.transport.security.Credentials;
import org.robber.transport.sockets.Sockets;
import org.robber.transport.storage.StorageThreads;

/** The nodes of a job in this process, over real sockets: each can be killed as if its process were. */
final class MortalJob implements AutoCloseable {
    private static final long LIMIT_SECONDS = 60;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Future<?>> running = new ArrayList<>();
    private final int port;

    /** One node. */
    private static final class Node {
        private final Sockets sockets = Sockets.open(1);
        private final StorageThreads storageThreads = StorageThreads.open(1);
        private final PeerListener listener;
        private final ControlPlane controlPlane;
        private final Mesh mesh;
        private final NettyCommunicator world;
        private volatile @Nullable NettyMulticastChannel channel;
        private volatile boolean killed;

        Node(JobOptions options, CompletableFuture<Integer> port, UnaryOperator<Nearness> nearness) throws Exception {
            JobOptions reaching = options.rank() == 0 ? options : options.withPort(port.get());
            listener = PeerListener.open(sockets, reaching, Credentials.of(reaching));
            Credentials credentials = Credentials.of(reaching);
            controlPlane = options.rank() == 0
                    ? RendezvousListener.join(
                            options, credentials, sockets, List.of(""), listener.port(), port::complete)
                    : Rendezvous.join(reaching, credentials, sockets, List.of(""), listener.port());
            listener.identify(controlPlane.rank(), controlPlane.roster());
            List<String> clusters = new ArrayList<>();
            controlPlane.roster().members().forEach(member -> clusters.add(member.cluster()));
            PeerDialer dialer = new PeerDialer(
                    sockets,
                    reaching,
                    Credentials.of(reaching),
                    controlPlane.rank(),
                    controlPlane.roster().seed());
            mesh = Mesh.open(new MeshNetwork(
                    controlPlane,
                    Topology.of(clusters),
                    sockets,
                    listener,
                    dialer,
                    new SendRates(options.sendLimits()),
                    options.connectTimeout(),
                    options.silenceTimeout()));
            NettyJob job = new NettyJob(new JobContext(
                    controlPlane,
                    nearness.apply(new Nearness(controlPlane.roster().members(), Topology.of(clusters))),
                    new KnownNodes(controlPlane.roster().members()),
                    sockets,
                    listener,
                    dialer,
                    new RelayService(
                            dialer,
                            listener,
                            () -> controlPlane.roster().members(),
                            RelayChoice.of(List.of(), controlPlane.roster().members()),
                            options.silenceTimeout()),
                    mesh,
                    new SendRates(SendLimits.none()),
                    storageThreads,
                    options.connectTimeout(),
                    options.silenceTimeout(),
                    options.peerStallTimeout(),
                    options.stallTimeout()));
            job.listen(mesh::lost);
            world = new NettyCommunicator(job, Group.world(job.size()));
        }

        void kill() {
            killed = true;
            sockets.close();
        }

        void close() {
            if (!killed) {
                mesh.close();
                controlPlane.close();
                listener.close();
            }
            storageThreads.shutdownNow();
            NettyMulticastChannel last = channel;
            if (killed && last != null) {
                last.release();
            }
            sockets.close();
        }
    }

    MortalJob(int... clusterSizes) throws Exception {
        this(options -> options, clusterSizes);
    }

    /** @param change of the options of each node */
    MortalJob(UnaryOperator<JobOptions> change, int... clusterSizes) throws Exception {
        this(change, nearness -> nearness, clusterSizes);
    }

    /** A job whose nodes take the lines between neighbouring clusters for long ones. */
    static MortalJob withLongLines(int... clusterSizes) throws Exception {
        return new MortalJob(options -> options, MortalJob::apart, clusterSizes);
    }

    private static Nearness apart(Nearness near) {
        List<Member> members = new ArrayList<>();
        for (int rank = 0; rank < near.members().size(); rank++) {
            Member member = near.members().get(rank);
            String address = near.topology().clusterOf(rank) % 2 == 0 ? member.dataAddress() : "another machine";
            members.add(new Member(member.cluster(), member.host(), member.processId(), address, member.dataPort()));
        }
        return new Nearness(members, near.topology());
    }

    private MortalJob(UnaryOperator<JobOptions> change, UnaryOperator<Nearness> nearness, int... clusterSizes)
            throws Exception {
        Topology topology = Topology.ofSizes(clusterSizes);
        CompletableFuture<Integer> port = new CompletableFuture<>();
        List<Future<Node>> joining = new ArrayList<>();
        for (int rank = 0; rank < topology.size(); rank++) {
            JobOptions options = change.apply(JobOptions.of("mortal", "127.0.0.1", 0, rank, topology.size())
                    .withCluster(topology.clusterName(topology.clusterOf(rank)))
                    .withConnectTimeout(Duration.ofSeconds(30)));
            joining.add(threads.submit(() -> new Node(options, port, nearness)));
        }
        for (Future<Node> each : joining) {
            nodes.add(each.get(LIMIT_SECONDS, TimeUnit.SECONDS));
        }
        this.port = port.get();
    }

    /** Where rank 0 listens. */
    int port() {
        return port;
    }

    /** Ends all connections of the node at once, without a word. */
    void kill(int rank) {
        nodes.get(rank).kill();
    }

    /** The same from a thread of the node itself, which waits for its end. */
    void killSelf(int rank) {
        try {
            threads.submit(() -> kill(rank)).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    /** The node has opened this channel: its memory is given back in the end, even if the node is killed. */
    void opened(int rank, MulticastChannel channel) {
        nodes.get(rank).channel = (NettyMulticastChannel) channel;
    }

    /** Runs the program as every node at once. */
    void start(RankProgram program) {
        for (Node node : nodes) {
            running.add(threads.submit(() -> {
                program.run(node.world);
                return null;
            }));
        }
    }

    /** Waits for the node's end, and returns what it threw, or null. */
    @Nullable
    Throwable end(int rank) throws Exception {
        return end(rank, LIMIT_SECONDS);
    }

    /** The same for a node that may take this long. */
    @Nullable
    Throwable end(int rank, long limitSeconds) throws Exception {
        try {
            running.get(rank).get(limitSeconds, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (TimeoutException e) {
            throw new AssertionError("rank " + rank + " hangs; threads:" + stacks(), e);
        }
    }

    /** Waits for the node's end: it failed since all data were lost with this root, which the failure names so. */
    void assertLostWithRoot(int rank, int root, String name) throws Exception {
        assertThat(end(rank)).as("rank %s", rank).isInstanceOfSatisfying(RobberException.class, failure -> {
            assertThat(failure.reason()).isEqualTo(Reason.NETWORK);
            assertThat(failure.ranks()).containsExactly(root);
            assertThat(failure).hasMessageContainingAll("lost with their root", name);
        });
    }

    private static String stacks() {
        StringBuilder text = new StringBuilder();
        Thread.getAllStackTraces().forEach((thread, frames) -> {
            text.append('\n').append(thread.getName());
            for (StackTraceElement frame : frames) {
                text.append("\n    ").append(frame);
            }
        });
        return text.toString();
    }

    @Override
    public void close() {
        List<CompletableFuture<Void>> closing = new ArrayList<>();
        nodes.forEach(node -> closing.add(CompletableFuture.runAsync(node::close, threads)));
        CompletableFuture.allOf(closing.toArray(CompletableFuture[]::new))
                .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                .join();
        threads.shutdownNow();
    }
}
