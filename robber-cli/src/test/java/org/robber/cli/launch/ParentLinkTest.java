package org.robber.cli.launch;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.robber.RobberException;

class ParentLinkTest {

    private final CountDownLatch gone = new CountDownLatch(1);

    @Test
    void hearsSecretAndPortAndTheEnd() throws IOException, InterruptedException {
        PipedOutputStream parent = new PipedOutputStream();
        ParentLink link = ParentLink.listen(new PipedInputStream(parent), gone::countDown);
        parent.write("secret c0ffee\nrendezvous 4711\n".getBytes(US_ASCII));
        parent.flush();

        assertThat(link.secret()).containsExactly(0xc0, 0xff, 0xee);
        assertThat(link.port()).isEqualTo(4711);
        assertThat(gone.getCount()).isEqualTo(1);

        parent.close();
        assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whoWaitsForAParentThatIsGoneIsTold() throws InterruptedException {
        ParentLink link =
                ParentLink.listen(new ByteArrayInputStream("secret 00\n".getBytes(US_ASCII)), gone::countDown);

        assertThat(link.secret()).containsExactly(0);
        assertThatThrownBy(link::port).isInstanceOf(RobberException.class).hasMessageContaining("has ended");
        assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
