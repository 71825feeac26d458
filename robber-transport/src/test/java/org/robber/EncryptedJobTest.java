package org.robber;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole jobs over TLS, from file to file: what the kernel could send itself has to go through this process here. */
class EncryptedJobTest {
    private static final int SIZE = 3;
    private static final int BYTES = 3_000_001;

    @TempDir
    Path folder;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void filesArriveOverConnectionsThatTheSecretEncrypts() throws Exception {
        byte[] content = new byte[BYTES];
        new Random(5).nextBytes(content);
        Path source = Files.write(folder.resolve("source"), content);

        List<CompletableFuture<Boolean>> nodes = start(rank -> TlsOptions.on(), robber -> {
            int rank = robber.world().rank();
            Path mine = rank == 0 ? source : folder.resolve("copy-" + rank);
            try (Storage storage = Storage.of(FileChannel.open(mine, CREATE, READ, WRITE), BYTES);
                    MulticastChannel channel = robber.world()
                            .multicastChannel(ChannelOptions.defaults().withPieceBytes(100_000))) {
                channel.multicast(storage, 0);
                channel.flush();
            }
        });
        nodes.forEach(CompletableFuture::join);

        for (int rank = 1; rank < SIZE; rank++) {
            assertThat(Files.readAllBytes(folder.resolve("copy-" + rank))).isEqualTo(content);
        }
    }

    private interface Program {
        void run(Robber robber) throws Exception;
    }

    private List<CompletableFuture<Boolean>> start(IntFunction<TlsOptions> tls, Program program) {
        CompletableFuture<Integer> port = new CompletableFuture<>();
        List<CompletableFuture<Boolean>> nodes = new ArrayList<>();
        for (int rank = 0; rank < SIZE; rank++) {
            JobOptions options = JobOptions.of("tls", "127.0.0.1", 0, rank, SIZE)
                    .withSecret("not for the wire".getBytes(StandardCharsets.US_ASCII))
                    .withTls(tls.apply(rank));
            nodes.add(CompletableFuture.supplyAsync(
                    () -> {
                        JobOptions all = options.rank() == 0 ? options : options.withPort(port.join());
                        try (Robber robber = Robber.join(all, port::complete)) {
                            program.run(robber);
                            return true;
                        } catch (Exception e) {
                            port.completeExceptionally(e);
                            throw e instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(e);
                        }
                    },
                    threads));
        }
        return nodes;
    }
}
