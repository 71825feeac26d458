package org.robber.transport.launch;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where rank 0 of a job of Open MPI's mpirun listens. No variable says so. By default rank 0 runs on the head node, where
 * mpirun was called, or, if that one takes no part, on the first of the others. A mapping that the user chose may put it
 * elsewhere; then rank 0, which alone can tell, fails, and mpirun ends the others.
 */
final class OpenMpi {
    private static final String HEAD = "OMPI_MCA_orte_hnp_uri";
    private static final String NODES = "OMPI_MCA_orte_node_regex";

    /** {@code 963313664.0;tcp://192.0.2.2,198.51.100.7:42177;tcp6://[2001:db8::2]:39383}. */
    private static final Pattern DAEMON = Pattern.compile("\\d+\\.(?<number>\\d{1,9});(?<addresses>.*)");

    private static final Pattern IPV4 = Pattern.compile("(?:^|;)tcp://(?<host>[^,:;]+)");
    private static final Pattern IPV6 = Pattern.compile("(?:^|;)tcp6://\\[(?<host>[^],]+)");

    /** Open MPI 5 on PRRTE: the namespace is made of the head node's name and mpirun's process id. */
    private static final Pattern PRRTE = Pattern.compile("prte(?:run)?-(?<host>.+)-\\d+@\\d+");

    private final RankAndSize rankAndSize;
    private final Variables variables;

    private OpenMpi(RankAndSize rankAndSize, Variables variables) {
        this.rankAndSize = rankAndSize;
        this.variables = variables;
    }

    static boolean ran(Variables variables) {
        return variables.has("OMPI_COMM_WORLD_SIZE");
    }

    static JobAddress address(RankAndSize rankAndSize, Variables variables) {
        String job = variables.firstText("PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid");
        if (job == null) {
            throw Variables.needsUri("neither PMIX_NAMESPACE nor OMPI_MCA_ess_base_jobid is set");
        }
        return JobAddress.derived("mpi-" + job, new OpenMpi(rankAndSize, variables).host(job));
    }

    private String host(String job) {
        if (variables.has("OMPI_COMM_WORLD_LOCAL_SIZE")
                && variables.number("OMPI_COMM_WORLD_LOCAL_SIZE") == rankAndSize.size()) {
            return JobAddress.LOOPBACK;
        }
        String head = variables.text(HEAD);
        if (head != null) {
            return onOrte(head);
        }
        Matcher prrte = PRRTE.matcher(job);
        if (prrte.matches()) {
            return onPrrte(prrte.group("host"));
        }
        throw Variables.needsUri("mpirun doesn't tell where rank 0 runs (no " + HEAD + ")");
    }

    /** Open MPI up to 4. */
    private String onOrte(String head) {
        int expected = nodeOfRank0();
        String ours = variables.text("OMPI_MCA_orte_local_daemon_uri");
        if (rankAndSize.rank() == 0 && ours != null && daemon(ours) != expected) {
            throw Variables.needsUri("rank 0 runs on a host that the other ranks don't expect it on");
        }
        return expected == 0 ? address(head) : nodes().get(expected);
    }

    /**
     * The number of rank 0's node among all nodes, the head being number 0. Only processes away from the head node are told
     * the nodes' names; on the head node itself, which then takes part, rank 0 is at home.
     */
    private int nodeOfRank0() {
        if (!variables.has(NODES) || !variables.has("OMPI_MCA_orte_num_nodes")) {
            return 0;
        }
        int idle = nodes().size() - variables.number("OMPI_MCA_orte_num_nodes");
        if (idle > 1) {
            throw Variables.needsUri(NODES + "=" + variables.text(NODES)
                    + " has nodes without a rank, of which the head node may be one");
        }
        return Math.max(0, idle);
    }

    /** {@code head,node[2:1-2,7]@0(4)}. */
    private List<String> nodes() {
        String text = String.valueOf(variables.text(NODES));
        int at = text.indexOf('@');
        try {
            return HostList.expand(at < 0 ? text : text.substring(0, at));
        } catch (IllegalArgumentException e) {
            throw Variables.needsUri(NODES + "=" + text + " is not understood");
        }
    }

    private static int daemon(String uri) {
        Matcher matcher = DAEMON.matcher(uri);
        return matcher.matches() ? Integer.parseInt(matcher.group("number")) : -1;
    }

    private static String address(String head) {
        for (Pattern pattern : List.of(IPV4, IPV6)) {
            Matcher matcher = DAEMON.matcher(head);
            Matcher address = pattern.matcher(matcher.matches() ? matcher.group("addresses") : "");
            if (address.find()) {
                return address.group("host");
            }
        }
        throw Variables.needsUri(HEAD + "=" + head + " has no address");
    }

    private String onPrrte(String head) {
        String here = variables.text("PMIX_HOSTNAME");
        if (rankAndSize.rank() == 0 && here != null && !shortName(here).equals(shortName(head))) {
            throw Variables.needsUri("rank 0 runs on " + here + " and not on " + head + ", where mpirun was called");
        }
        return head;
    }

    private static String shortName(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }
}
