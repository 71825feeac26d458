package org.robber.cli.launch;

import org.jspecify.annotations.Nullable;
import org.robber.DataAddress;
import org.robber.cli.log.LogSetup.Detail;
import org.robber.cli.request.BandwidthFile;
import org.robber.cli.request.JobRequest;

/**
 * The part of one node in a job, as the process that starts the nodes tells each of them through its standard input.
 *
 * @param jobId name of the job
 * @param place which node it is
 * @param request what the node is to do
 * @param bandwidths the file that the bandwidths of the request come from, or null; the node may be where that file is not
 * @param network how long the node waits, how fast it sends, and where it listens
 * @param encrypts whether connections are encrypted
 * @param log how much the node logs
 */
public record NodeOrder(
        String jobId,
        JobPlace place,
        JobRequest request,
        @Nullable BandwidthFile bandwidths,
        NetworkSettings network,
        boolean encrypts,
        Detail log) {

    /** The same for another node. */
    public NodeOrder at(JobPlace newPlace, JobRequest newRequest) {
        return new NodeOrder(jobId, newPlace, newRequest, bandwidths, network, encrypts, log);
    }

    /** The same for a node that listens for data there. */
    NodeOrder listeningAt(DataAddress data) {
        return new NodeOrder(jobId, place, request, bandwidths, network.at(data), encrypts, log);
    }
}
