package org.robber.cli.launch;

import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.DataAddress;
import org.robber.JobOptions;
import org.robber.Robber;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.launch.FailureSummary.Failure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the place of a node that ended before it had joined the job. Rank 0 waits for all nodes, and learns in this way why one
 * will not come. Then the job goes on or ends, as after the loss of any node.
 */
final class StandIn {

    private static final Logger LOG = LoggerFactory.getLogger(StandIn.class);

    private StandIn() {}

    /**
     * Joins the job in a thread of its own, and gives up as soon as rank 0 goes on without lost nodes.
     *
     * @param ended the process of the node
     * @param order that it was told
     * @param rankZero the address at which rank 0 listens, which is on this machine
     * @param told why it ended, or null if it has not said so
     */
    static void begin(
            NodeProcess ended, NodeOrder order, String rankZero, int port, String secretHex, @Nullable Failure told) {
        JobPlace place = order.place();
        JobPlace here = new JobPlace(place.rank(), place.size(), place.cluster(), rankZero, port);
        // Here anything will do of what may have ended the node.
        JobOptions options = LaunchedNode.options(
                        order.at(here, order.request()), HexFormat.of().parseHex(secretHex))
                .withHostName(ended.host())
                .withDataAddress(DataAddress.any())
                .withCongestion("");
        RobberException why = why(ended, told);
        Thread thread = new Thread(() -> takePart(options, why), "stand-in-" + ended.rank());
        thread.setDaemon(true);
        thread.start();
    }

    private static RobberException why(NodeProcess ended, @Nullable Failure told) {
        return new RobberException(
                told == null ? Reason.TOO_FEW_NODES : Reason.ofExitCode(told.exitCode()),
                List.of(ended.rank()),
                "launch",
                told == null ? ended.end(" before it had joined the job") : ended.label() + ": " + told.message());
    }

    private static void takePart(JobOptions options, RobberException why) {
        try (Robber robber = Robber.join(options)) {
            Communicator world = robber.world();
            // the first call of a job: from then on rank 0 goes on without lost nodes, if that is wanted
            byte[] unused = world.control().agree(new byte[0], told -> new byte[0]);
            world.control().giveUp(why);
        } catch (RobberException e) {
            // the job has ended, or the node had come after all: then rank 0 knows of its loss
            LOG.debug("rank 0 does not hear that {}", why.getMessage(), e);
        }
    }
}
