package org.robber.cli.emulate;

import org.robber.emulation.experiment.ScenarioRunner;

/** What runs are done by, until it is closed. */
interface RunBackend extends ScenarioRunner, AutoCloseable {

    /** Lets go of all that runs needed; idempotent. */
    @Override
    void close();
}
