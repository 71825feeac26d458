package org.robber.emulation.testbed;

import java.time.Duration;
import org.robber.emulation.testbed.program.StartSignal;
import org.robber.emulation.testbed.sandbox.TestbedException;

/** A process with a testbed, to be killed: makes one, calibrates it or runs programs in it, and begins anew. */
final class KilledTestbed {

    private static final Duration LIMIT = Duration.ofSeconds(2);

    private KilledTestbed() {}

    /** Runs until it is killed, and calibrates if it is given an argument; says what it does. */
    public static void main(String[] args) throws InterruptedException {
        while (true) {
            System.out.println("opening");
            try (Testbed testbed = Networks.open(Networks.of(
                    "{'name':'A','nodes':2,'node_up':5},{'name':'B','nodes':2}",
                    "'A-B':{'mbps':5,'delay_ms':1},'B-A':{'mbps':5,'delay_ms':1}"))) {
                System.out.println("running");
                if (args.length == 0) {
                    var unused = testbed.run(
                            Networks.command("setsid sleep 500 & sleep 500").programs(testbed),
                            StartSignal.eventOrData(),
                            LIMIT);
                } else {
                    var unused = testbed.calibrate();
                }
                System.out.println("closing");
            } catch (TestbedException e) {
                // a machine that is busy gives no rates: nothing that matters here
                System.out.println(e.getMessage());
            }
        }
    }
}
