package org.robber.cli.emulate;

import java.util.List;
import java.util.function.Consumer;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.emulation.experiment.Findings.Setting;
import org.robber.emulation.experiment.ScenarioRunner;
import org.robber.emulation.testbed.sandbox.TestbedException;

/** What runs are done by, until it is closed. */
interface RunBackend extends ScenarioRunner, AutoCloseable {

    /**
     * The one that was asked for.
     *
     * @param log takes what people may want to know of it
     * @throws RobberException if there can be none on this machine
     */
    static RunBackend open(EmulateRequest request, Setting setting, Consumer<String> log) {
        if (!request.testbed()) {
            return new SimulatorRunner(request, setting.scenarios());
        }
        try {
            return new TestbedRunner(request, setting.scenarios(), log);
        } catch (TestbedException e) {
            throw new RobberException(Reason.NETWORK, List.of(), "testbed", String.valueOf(e.getMessage()), e);
        }
    }

    /** Lets go of all that runs needed; idempotent. */
    @Override
    void close();
}
