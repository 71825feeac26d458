package org.robber.cli.remote;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.robber.cli.hosts.ListedHost;

/**
 * How hosts are reached.
 *
 * @param command ssh and its options, or another program that takes the same options
 * @param fanout most hosts that are being started at a time
 * @param java the program there, or empty: the one of its environment
 */
public record SshSettings(List<String> command, int fanout, String java) {

    private static final Pattern WORD = Pattern.compile("\\s*((?:[^\\s'\"]|'[^']*'|\"[^\"]*\")+)");
    private static final Pattern QUOTED = Pattern.compile("'([^']*)'|\"([^\"]*)\"");
    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);

    /**
     * A command as words. Quotes hold words together, as in a shell; nothing else is special.
     *
     * @throws IllegalArgumentException if there are none, or a quote has no end
     */
    public static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(text.strip());
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            words.add(QUOTED.matcher(matcher.group(1)).replaceAll(quoted -> {
                String inside = quoted.group(1) == null ? quoted.group(2) : quoted.group(1);
                return Matcher.quoteReplacement(inside);
            }));
            end = matcher.end();
        }
        if (words.isEmpty() || end < text.strip().length()) {
            throw new IllegalArgumentException("'" + text + "' is no command: use ssh -p 2222 -i 'my key'");
        }
        return words;
    }

    /**
     * The command that runs another on a host. Of several equal options of ssh the first counts, so that those of the user win.
     *
     * @param connect how long the job waits for its nodes
     */
    List<String> toRun(ListedHost host, String remoteCommand, Duration connect) {
        Duration shorter = connect.compareTo(LONGEST_CONNECT) < 0 ? connect : LONGEST_CONNECT;
        List<String> words = new ArrayList<>(command);
        words.addAll(List.of("-T", "-a", "-x", "-o", "BatchMode=yes"));
        words.addAll(List.of("-o", "ConnectTimeout=" + Math.max(1, shorter.toSeconds())));
        words.addAll(List.of("-o", "ServerAliveInterval=15", "-o", "LogLevel=ERROR"));
        // Else ssh would stay for other programs that use its connection. It may use theirs.
        words.addAll(List.of("-o", "ControlMaster=no"));
        words.addAll(List.of(host.address(), remoteCommand));
        return words;
    }
}
