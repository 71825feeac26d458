package org.robber.cli;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.robber.cli.option.EnvironmentDefaults;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The manual page {@code robber-cli(1)}, in roff, from the options of the commands. */
final class ManualPage {
    /** The command that has the options of replicate: they are listed once. */
    static final String OPTIONS_OF_REPLICATE = "plan";

    private static final Pattern EXIT_CODE = Pattern.compile("^\\| ([0-9, ]+) \\| (.*) \\|$", Pattern.MULTILINE);

    private final StringBuilder page = new StringBuilder();

    private ManualPage() {}

    /** The whole page; exit codes are the rows of a table in Markdown. */
    static String text(CommandLine main, List<String> commands, String exitCodes) {
        ManualPage page = new ManualPage();
        page.start(main);
        for (String name : commands) {
            page.command(main.getSubcommands().get(name).getCommandSpec());
        }
        page.end(exitCodes);
        return page.page.toString();
    }

    private void start(CommandLine main) {
        macro(".TH ROBBER\\-CLI 1 \"\" Robber \"User Commands\"");
        // Names of variables stay whole.
        macro(".nh");
        macro(".ad l");
        macro(".SH NAME");
        line("robber-cli - copy a file or a tree of files to every node of several clusters");
        macro(".SH SYNOPSIS");
        macro(".B robber\\-cli");
        macro("\\fICOMMAND\\fR [\\fIOPTION\\fR...] \\fIARGUMENT\\fR...");
        macro(".SH DESCRIPTION");
        line(main.getCommandSpec().usageMessage().description());
        macro(".PP");
        line(
                "Each option may come from the environment, by the variable in brackets, or from the file ~/.config/robber/config,"
                        + " with 'piece-size = 1M' in a line. The command line wins over the environment, which wins over the file."
                        + " An empty variable counts as not set. Sizes are powers of two (64K, 1M, 4G). Rates are"
                        + " bytes (60M) or decimal bits (500Mbit) a second. Times have a unit (90s, 5m, 2h).");
        macro(".PP");
        line(
                "robber-cli help COMMAND shows the options of a command, robber-cli completion prints a completion script for"
                        + " bash and zsh, and robber-cli --version the version.");
    }

    private void command(CommandSpec spec) {
        UsageMessageSpec usage = spec.usageMessage();
        macro(".SH COMMAND " + escaped(spec.name().toUpperCase(Locale.ROOT)));
        line(usage.description());
        for (String alias : spec.aliases()) {
            line("Another name: " + alias + ".");
        }
        if (OPTIONS_OF_REPLICATE.equals(spec.name())) {
            footer(usage);
            return;
        }
        for (PositionalParamSpec parameter : spec.positionalParameters()) {
            macro(".TP");
            macro("\\fI" + escaped(parameter.paramLabel()) + "\\fR");
            line(parameter.description());
        }
        for (OptionSpec option : spec.options()) {
            if (EnvironmentDefaults.isRead(option)) {
                option(option);
            }
        }
        footer(usage);
    }

    private void option(OptionSpec option) {
        String label = option.arity().max() == 0
                ? ""
                : "=\\fI" + escaped(option.paramLabel().replaceFirst("^=", "")) + "\\fR";
        macro(".TP");
        macro("\\fB" + escaped(String.join(", ", option.names())) + "\\fR" + label);
        line(String.join(" ", option.description()) + " [" + EnvironmentDefaults.variable(option) + "]");
    }

    /** Headings end with a colon; only lines of examples stay as they are. */
    private void footer(UsageMessageSpec usage) {
        boolean asItIs = heading(usage.footerHeading());
        for (String text : usage.footer()) {
            if (text.startsWith("%n")) {
                if (asItIs) {
                    macro(".fi");
                }
                asItIs = heading(text);
            } else {
                line(text);
            }
        }
        if (asItIs) {
            macro(".fi");
        }
    }

    private boolean heading(String text) {
        String name = text.replace("%n", "");
        macro(".PP");
        macro(".B " + escaped(name));
        boolean examples = name.startsWith("Example");
        macro(examples ? ".nf" : ".br");
        return examples;
    }

    private void end(String exitCodes) {
        macro(".SH EXIT STATUS");
        EXIT_CODE.matcher(exitCodes).results().forEach(row -> {
            macro(".TP");
            macro(".B " + escaped(row.group(1)));
            line(row.group(2));
        });
        macro(".SH ENVIRONMENT");
        variable("JAVA_HOME", "Java, 17 or newer. Default: the java of PATH.");
        variable("ROBBER_JAVA_FLAGS", "More flags for Java, after those of the launcher.");
        variable(
                "ROBBER_RANK, ROBBER_SIZE, ROBBER_CLUSTER, ROBBER_URI",
                "The place of this node in its job, where no" + " launcher such as mpirun or srun names it.");
        macro(".SH SEE ALSO");
        line("The folder docs of the distribution, or /usr/share/doc/robber/docs.");
    }

    private void variable(String names, String meaning) {
        macro(".TP");
        macro(".B " + escaped(names));
        line(meaning);
    }

    /** A line of text: what picocli replaces in its help stands as it will be there. */
    private void line(String... text) {
        String line = String.join(" ", text)
                .replace("%n", " ")
                .replace("%%", "%")
                .replaceAll("\\s+", " ")
                .strip();
        macro((line.startsWith(".") || line.startsWith("'") ? "\\&" : "") + escaped(line));
    }

    private void macro(String line) {
        page.append(line).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq");
    }
}
