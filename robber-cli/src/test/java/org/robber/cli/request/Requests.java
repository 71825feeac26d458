package org.robber.cli.request;

import com.google.common.collect.ImmutableList;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.robber.ChannelOptions;
import org.robber.SendLimits;
import org.robber.cli.filter.Selection;
import org.robber.cli.metrics.MetricsPlace;
import org.robber.cli.report.AbsentNode;
import org.robber.cli.report.OutputFormat;

/** Builds requests for tests: of a job that goes on without lost nodes, has no deadline, and prints its result as text. */
public final class Requests {

    private final List<String> sources = new ArrayList<>();
    private final String destination;
    private final ChannelOptions channel;
    private LossPolicy losses = new LossPolicy(LossPolicy.OnFailure.CONTINUE, null);
    private TimeLimit deadline;
    private OutputFormat format = OutputFormat.TEXT;
    private Path reportFile;
    private MetricsPlace metrics;
    private PlanTerms plan;
    private Selection selection = Selection.all();
    private ImmutableList<Integer> roots = ImmutableList.of(0);
    private boolean restart;
    private boolean checksum;
    private boolean fsync;
    private Path stateFolder;
    private List<AbsentNode> absent = List.of();
    private ReceivingLimits limits = ReceivingLimits.none();

    private Requests(String source, String destination, ChannelOptions channel) {
        sources.add(source);
        this.destination = destination;
        this.channel = channel;
    }

    /** To copy this there. */
    public static Requests of(String source, String destination, ChannelOptions channel) {
        return new Requests(source, destination, channel);
    }

    /** This also. */
    public Requests and(String another) {
        sources.add(another);
        return this;
    }

    public Requests losses(LossPolicy policy) {
        losses = policy;
        return this;
    }

    public Requests deadline(TimeLimit limit) {
        deadline = limit;
        return this;
    }

    /** A result in JSON, and a report in this file. */
    public Requests json(Path report) {
        format = OutputFormat.JSON;
        reportFile = report;
        return this;
    }

    /** A report in this file, and metrics here. */
    public Requests watched(Path report, MetricsPlace place) {
        reportFile = report;
        metrics = place;
        return this;
    }

    public Requests dryRun() {
        return plan(new PlanTerms(SendLimits.none(), null));
    }

    public Requests plan(PlanTerms terms) {
        plan = terms;
        return this;
    }

    public Requests selection(Selection ofSource) {
        selection = ofSource;
        return this;
    }

    /** The source is at this node, or a part of it at each of these. */
    public Requests root(Integer... ranks) {
        roots = ImmutableList.copyOf(ranks);
        return this;
    }

    public Requests restart() {
        restart = true;
        return this;
    }

    public Requests checksum() {
        checksum = true;
        return this;
    }

    public Requests fsync() {
        fsync = true;
        return this;
    }

    public Requests stateFolder(Path folder) {
        stateFolder = folder;
        return this;
    }

    public Requests absent(AbsentNode node) {
        absent = List.of(node);
        return this;
    }

    public Requests limits(ReceivingLimits ofMachine) {
        limits = ofMachine;
        return this;
    }

    /** The request. */
    public ReplicateRequest request() {
        return new ReplicateRequest(
                new SourceTerms(sources, selection, roots),
                destination,
                channel,
                losses,
                deadline,
                new ReportTerms(format, reportFile, metrics, absent),
                plan,
                new CopyRules(restart, checksum, fsync, stateFolder),
                limits);
    }

    /** A standard input with nothing in it. */
    public static ReadableByteChannel noInput() {
        return Channels.newChannel(InputStream.nullInputStream());
    }
}
