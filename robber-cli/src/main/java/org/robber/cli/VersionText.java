package org.robber.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class VersionText implements IVersionProvider {

    /** The version of Robber, as the jar says. */
    static String version() {
        String version = VersionText.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "robber-cli " + version(),
            "Java " + System.getProperty("java.version") + " (" + System.getProperty("java.vm.name") + ")"
        };
    }
}
