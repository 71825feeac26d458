package org.robber.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class VersionText implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = VersionText.class.getPackage().getImplementationVersion();
        return new String[] {
            "robber-cli " + (version == null ? "(not packaged)" : version),
            "Java " + System.getProperty("java.version") + " (" + System.getProperty("java.vm.name") + ")"
        };
    }
}
