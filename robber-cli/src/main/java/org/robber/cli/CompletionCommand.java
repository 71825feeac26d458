package org.robber.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code robber-cli completion}. */
@Command(
        name = "completion",
        description = "Prints a completion script: source <(robber-cli completion)",
        versionProvider = VersionText.class,
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        spec.commandLine()
                .getOut()
                .print(AutoComplete.bash(spec.root().name(), spec.root().commandLine()));
        spec.commandLine().getOut().flush();
    }
}
