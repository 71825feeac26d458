package org.robber.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.ChannelOptions;
import org.robber.ClusterBy;
import org.robber.DataAddress;
import org.robber.RobberException;
import org.robber.SendLimits;
import org.robber.cli.log.LogSetup.Detail;
import org.robber.cli.report.OutputFormat;
import org.robber.cli.request.ReceivingLimits;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.Requests;
import org.robber.cli.request.VerifyRequest;

class HostTermsTest {
    private static final Path STATE = Path.of("/var/lib/robber");
    private static final ReceivingLimits LIMITS =
            new ReceivingLimits(List.of(Path.of("/scratch"), Path.of("/data with blanks")), 1 << 20, 5);
    private static final DataAddress ASKED = new DataAddress("10.0.0.0/8", 1, 2);

    private static NodeOrder order(int rank, Integer... roots) {
        ReplicateRequest request = Requests.of("SRC", "/scratch/x", ChannelOptions.defaults())
                .root(roots)
                .stateFolder(Path.of("/etc"))
                .request();
        Duration second = Duration.ofSeconds(1);
        NetworkSettings network =
                new NetworkSettings(second, second, second, SendLimits.none(), ASKED, "", List.of(), ClusterBy.AUTO);
        return new NodeOrder("job", new JobPlace(rank, 3, "A", "h", 1), request, null, network, true, Detail.NORMAL);
    }

    @Test
    void theyAreReadFromTheArgumentsThatTheyMake() {
        for (DataAddress data : List.of(DataAddress.any(), new DataAddress("eth1", 7000, 7015))) {
            HostTerms terms = new HostTerms(LIMITS, data, STATE);
            assertThat(HostTerms.of(terms.toArguments())).isEqualTo(terms);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HostTerms.of(List.of("0", "0", "", "0", "0", "/state")))
                .withMessageContaining("started by 'robber-cli serve' alone");
    }

    /** Whatever the operator asks for. */
    @Test
    void theyReplaceWhatTheOrderSaysOfThisHost() {
        NodeOrder restricted = new HostTerms(LIMITS, DataAddress.any(), STATE).restrict(order(1, 0));
        ReplicateRequest request = (ReplicateRequest) restricted.request();
        assertThat(request.limits()).isEqualTo(LIMITS);
        assertThat(request.copying().stateFolder()).isEqualTo(STATE);
        assertThat(restricted.network().data()).isEqualTo(ASKED);
        assertThat(request.destination()).isEqualTo("/scratch/x");

        DataAddress own = new DataAddress("eth1", 7000, 7015);
        assertThat(new HostTerms(LIMITS, own, STATE)
                        .restrict(order(2, 0))
                        .network()
                        .data())
                .isEqualTo(own);
    }

    /** It would read any file and write its report anywhere. */
    @Test
    void rankZeroIsRefused() {
        assertThatExceptionOfType(RobberException.class)
                .isThrownBy(() -> new HostTerms(LIMITS, DataAddress.any(), STATE).restrict(order(0, 0)))
                .withMessageContaining("a daemon starts no rank 0");
    }

    /** It would read and repair copies in any folder. */
    @Test
    void otherJobsThanCopiesAreRefused() {
        NodeOrder order = order(1, 0)
                .at(order(1, 0).place(), new VerifyRequest("/etc/x", true, true, null, OutputFormat.TEXT, null, null));
        assertThatExceptionOfType(RobberException.class)
                .isThrownBy(() -> new HostTerms(LIMITS, DataAddress.any(), STATE).restrict(order))
                .withMessageContaining("daemons only receive copies");
    }

    /** It would read any file, too. */
    @Test
    void aNodeWithAPartOfTheSourceIsRefused() {
        assertThatExceptionOfType(RobberException.class)
                .isThrownBy(() -> new HostTerms(LIMITS, DataAddress.any(), STATE).restrict(order(2, 1, 2)))
                .withMessageContaining("no node that has SRC");
    }
}
