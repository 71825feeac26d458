package org.robber.cli.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UnfinishedCopyTest {

    @Test
    void aTargetThatComesAfterTheEndIsEndedAtOnce() {
        UnfinishedCopy unfinished = new UnfinishedCopy();
        List<String> closed = new ArrayList<>();
        unfinished.hold(recorder("first", closed));
        unfinished.close();
        unfinished.close();
        assertThat(closed).containsExactly("first left");
        unfinished.hold(recorder("late", closed));
        assertThat(closed).containsExactly("first left", "late left");
        unfinished.distrust();
        unfinished.hold(recorder("wrong", closed));
        assertThat(closed).containsExactly("first left", "late left", "wrong removed");
    }

    @Test
    void aTargetThatCannotBeEndedIsLeftBehindInTime() throws Exception {
        CountDownLatch thawed = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        UnfinishedCopy unfinished = new UnfinishedCopy();
        unfinished.hold(trusted -> {
            try {
                assertThat(thawed.await(1, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            assertThat(trusted).isTrue();
            ended.countDown();
        });

        unfinished.closeWithin(1);

        assertThat(ended.getCount()).as("it hangs, and no thread waits").isEqualTo(1);
        thawed.countDown();
        assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
    }

    private static UnfinishedCopy.Target recorder(String name, List<String> ends) {
        return trusted -> ends.add(name + (trusted ? " left" : " removed"));
    }
}
