package org.robber.transport.mesh;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.robber.JobOptions;
import org.robber.core.topology.Topology;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.link.pace.SendRates;
import org.robber.transport.rankzero.RendezvousListener;
import org.robber.transport.reach.PeerDialer;
import org.robber.transport.reach.PeerListener;
import org.robber.transport.rendezvous.ControlPlane;
import org.robber.transport.rendezvous.Rendezvous;
import org.robber.transport.security.Credentials;
import org.robber.transport.sockets.Sockets;

/** The meshes of all nodes of a job, in this process, over real sockets. */
final class MeshJob implements AutoCloseable {
    static final long LIMIT_SECONDS = 60;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Node> nodes = new ArrayList<>();

    /** One node. */
    private static final class Node {
        private final Sockets sockets = Sockets.open(2);
        private final PeerListener listener;
        private final ControlPlane controlPlane;
        private final MeshNetwork network;
        private final Mesh mesh;

        Node(JobOptions options, CompletableFuture<Integer> port, boolean reachable) throws Exception {
            JobOptions reaching = options.rank() == 0 ? options : options.withPort(port.get());
            Credentials credentials = Credentials.of(reaching);
            listener = PeerListener.open(sockets, reaching, credentials);
            // Nobody listens at the port 1.
            int toldPort = reachable ? listener.port() : 1;
            controlPlane = options.rank() == 0
                    ? RendezvousListener.join(options, credentials, sockets, List.of(""), toldPort, port::complete)
                    : Rendezvous.join(reaching, credentials, sockets, List.of(""), toldPort);
            listener.identify(controlPlane.rank(), controlPlane.roster());
            network = new MeshNetwork(
                    controlPlane,
                    Topology.of(controlPlane.roster().members().stream()
                            .map(Member::cluster)
                            .toList()),
                    sockets,
                    listener,
                    new PeerDialer(
                            sockets,
                            reaching,
                            credentials,
                            controlPlane.rank(),
                            controlPlane.roster().seed()),
                    new SendRates(options.sendLimits()),
                    options.connectTimeout(),
                    options.silenceTimeout());
            mesh = Mesh.open(network);
            controlPlane.onLost(mesh::lost);
        }

        void close() {
            mesh.close();
            controlPlane.close();
            listener.close();
            sockets.close();
        }
    }

    /**
     * @param change of the options of each node
     * @param unreachable the rank of a node that peers cannot connect to, or negative
     */
    MeshJob(UnaryOperator<JobOptions> change, int unreachable, int... clusterSizes) throws Exception {
        Topology topology = Topology.ofSizes(clusterSizes);
        CompletableFuture<Integer> port = new CompletableFuture<>();
        List<Future<Node>> joining = new ArrayList<>();
        for (int rank = 0; rank < topology.size(); rank++) {
            JobOptions options = change.apply(JobOptions.of("mesh", "127.0.0.1", 0, rank, topology.size())
                    .withCluster(topology.clusterName(topology.clusterOf(rank)))
                    .withConnectTimeout(Duration.ofSeconds(30)));
            boolean reachable = rank != unreachable;
            joining.add(threads.submit(() -> new Node(options, port, reachable)));
        }
        for (Future<Node> each : joining) {
            nodes.add(each.get(LIMIT_SECONDS, TimeUnit.SECONDS));
        }
    }

    MeshJob(int... clusterSizes) throws Exception {
        this(options -> options, -1, clusterSizes);
    }

    int size() {
        return nodes.size();
    }

    Mesh mesh(int rank) {
        return nodes.get(rank).mesh;
    }

    MeshNetwork network(int rank) {
        return nodes.get(rank).network;
    }

    ControlPlane controlPlane(int rank) {
        return nodes.get(rank).controlPlane;
    }

    /** Ends all connections of the node at once, without a word. */
    void kill(int rank) {
        nodes.get(rank).sockets.close();
    }

    /** The node leaves in peace. */
    void leave(int rank) {
        nodes.get(rank).close();
    }

    <T> Future<T> run(Callable<T> work) {
        return threads.submit(work);
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
