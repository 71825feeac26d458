package org.robber.transport.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostListTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "node > node",
                "node7,gpu5 > node7 gpu5",
                "node[01-03,07],gpu5 > node01 node02 node03 node07 gpu5",
                "n[8-11] > n8 n9 n10 n11",
                "n[008-011] > n008 n009 n010 n011",
                "n[5]-ib > n5-ib",
                "r[1-2]n[0-1] > r1n0 r1n1 r2n0 r2n1",
                "a[1-2],b,c[3,5].example > a1 a2 b c3.example c5.example",
                "head01,node[2:1-2,7],gpu-[1:5] > head01 node01 node02 node07 gpu-5",
                "n[3:9-10] > n009 n010",
                "10.0.0.7 > 10.0.0.7"
            })
    void expands(String list, String hosts) {
        assertThat(HostList.expand(list)).containsExactly(hosts.split(" "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ",", "a,", "a[", "a]", "a[1-", "a[]", "a[1,]", "a[x]", "a[2-1]", "a[1-2", "a[[1]]", "a[1]]"})
    void refusesWhatIsNoList(String list) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HostList.expand(list))
                .withMessageContaining(list);
    }

    @Test
    void refusesToFillTheMemory() {
        assertThatIllegalArgumentException().isThrownBy(() -> HostList.expand("n[1-999999999]"));
    }
}
