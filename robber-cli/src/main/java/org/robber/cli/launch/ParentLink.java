package org.robber.cli.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/**
 * A node's end of the pipe from the process that started it: its order, the secret of the job, and the port that rank 0 listens at.
 * The secret comes this way because others can read arguments and environments of a process. The end of the pipe means that the
 * process that started the node is gone.
 */
public final class ParentLink {

    static final String SECRET = "secret ";
    static final String ORDER = "order ";
    static final String RENDEZVOUS = "rendezvous ";

    private final CompletableFuture<byte[]> secret = new CompletableFuture<>();
    private final CompletableFuture<NodeOrder> order = new CompletableFuture<>();
    private final CompletableFuture<Integer> port = new CompletableFuture<>();

    private ParentLink() {}

    /**
     * Begins to listen.
     *
     * @param gone run once, when the process that started this one is gone
     */
    public static ParentLink listen(InputStream input, Runnable gone) {
        ParentLink link = new ParentLink();
        Thread listener = new Thread(() -> link.read(input, gone), "parent-link");
        listener.setDaemon(true);
        listener.start();
        return link;
    }

    /** The secret of the job; waits until it is known. */
    public byte[] secret() {
        return await(secret);
    }

    /**
     * The part of this node in the job; waits until it is known.
     *
     * @throws RobberException with {@code INTERRUPTED} if the process that started the node is gone
     * @throws CompletionException if what came is no order
     */
    public NodeOrder order() {
        return await(order);
    }

    /** The port on this machine at which rank 0 listens; waits until it is known. */
    public int port() {
        return await(port);
    }

    private void read(InputStream input, Runnable gone) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(input, StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(SECRET)) {
                    secret.complete(HexFormat.of().parseHex(line, SECRET.length(), line.length()));
                } else if (line.startsWith(ORDER)) {
                    order.complete(NodeOrder.fromText(line.substring(ORDER.length())));
                } else if (line.startsWith(RENDEZVOUS)) {
                    port.complete(Integer.parseInt(line.substring(RENDEZVOUS.length())));
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            secret.completeExceptionally(e);
            order.completeExceptionally(e);
        }
        RobberException end = new RobberException(
                Reason.INTERRUPTED, List.of(), "launch", "the process that started this node has ended");
        secret.completeExceptionally(end);
        order.completeExceptionally(end);
        port.completeExceptionally(end);
        gone.run();
    }

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RobberException failure) {
                throw failure;
            }
            throw e;
        }
    }
}
