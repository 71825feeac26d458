package org.robber;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import org.robber.Transport.JoinedJob;

/**
 * A node's membership in a job: the way in to everything else.
 *
 * <pre>{@code
 * try (Robber robber = Robber.fromEnvironment()) {
 *     Communicator world = robber.world();
 *     try (MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults())) {
 *         channel.multicast(buffer); // returns when every byte is here and verified
 *         channel.flush();           // ... and everywhere else
 *     }
 * }
 * }</pre>
 */
public final class Robber implements AutoCloseable {
    private final JoinedJob job;

    private Robber(JoinedJob job) {
        this.job = job;
    }

    /**
     * Joins the job that this process was started for by mpirun, srun, Kubernetes or anything that sets {@code
     * ROBBER_RANK}, {@code ROBBER_SIZE} and {@code ROBBER_URI}. Returns once all nodes are there.
     *
     * @throws RobberException if the environment tells of no job, or the job can't be joined
     */
    public static Robber fromEnvironment() {
        return fromEnvironment(UnaryOperator.identity());
    }

    /**
     * Joins the job that this process was started for, as {@link #fromEnvironment()} does.
     *
     * @param settings adds to what the environment tells, such as limits for sending or an address for data
     * @throws RobberException if the environment tells of no job, or the job can't be joined
     */
    public static Robber fromEnvironment(UnaryOperator<JobOptions> settings) {
        checkArgument(settings != null, "settings is null");
        return fromEnvironment(System.getenv(), settings);
    }

    static Robber fromEnvironment(Map<String, String> variables, UnaryOperator<JobOptions> settings) {
        List<Launcher> launchers = new ArrayList<>();
        ServiceLoader.load(Launcher.class, Launcher.class.getClassLoader()).forEach(launchers::add);
        for (Launcher launcher : launchers) {
            if (launcher.isPresent(variables)) {
                return join(settings.apply(launcher.jobOptions(variables)));
            }
        }
        if (launchers.isEmpty()) {
            throw new RobberException(RobberException.Reason.USAGE, List.of(), "launch", "no launcher is installed");
        }
        // Says what it looked for.
        return join(settings.apply(launchers.get(0).jobOptions(variables)));
    }

    /** Joins a job; returns once all nodes are there. */
    public static Robber join(JobOptions options) {
        return join(options, port -> {});
    }

    /**
     * Joins a job; returns once all nodes are there.
     *
     * @param listening at rank 0: told the port at which it listens, before the others are waited for
     * @throws RobberException if too few nodes come in time, or this node is refused
     */
    public static Robber join(JobOptions options, IntConsumer listening) {
        return new Robber(transport(options.transport()).join(options, listening));
    }

    /** All nodes of a job in this process, at most 1,024, for tests and for trying things out. */
    public static LocalJob local(int clusters, int nodesPerCluster) {
        return local(clusters, nodesPerCluster, UnaryOperator.identity());
    }

    /**
     * All nodes of a job in this process, at most 1,024.
     *
     * @param settings adds to the options of each node, such as limits for sending
     */
    public static LocalJob local(int clusters, int nodesPerCluster, UnaryOperator<JobOptions> settings) {
        return LocalJob.ofEqualClusters(clusters, nodesPerCluster, settings);
    }

    static Transport transport(String name) {
        List<String> known = new ArrayList<>();
        for (Transport transport : ServiceLoader.load(Transport.class, Transport.class.getClassLoader())) {
            if (transport.name().equals(name)) {
                return transport;
            }
            known.add(transport.name());
        }
        throw new RobberException(
                RobberException.Reason.USAGE, List.of(), "join", "no transport '" + name + "'; known are " + known);
    }

    /** All nodes of the job. */
    public Communicator world() {
        return job.world();
    }

    /** Calls for a program that runs the job on behalf of users. */
    public JobControl control() {
        return job.world().control();
    }

    /** Leaves the job. */
    @Override
    public void close() {
        job.close();
    }
}
