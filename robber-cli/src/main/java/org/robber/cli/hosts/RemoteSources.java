package org.robber.cli.hosts;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sources on another host: {@code [USER@]HOST:PATH}, as rsync writes them. A name with a slash before its first colon is one on this machine.
 *
 * @param host that all of them are on
 * @param paths there; relative ones begin in the home folder
 */
public record RemoteSources(ListedHost host, List<String> paths) {
    private static final Pattern REMOTE =
            Pattern.compile("(?<host>(?:[^/:\\[\\]]*@)?(?:\\[[^/\\]]*]|[^/:\\[\\]]+)):(?<path>.*)", Pattern.DOTALL);

    /**
     * Reads the sources of a command line; empty if they are on this machine.
     *
     * @throws IllegalArgumentException in words for users, if they are on several hosts or name no host and path
     */
    public static Optional<RemoteSources> of(List<String> sources) {
        List<ListedHost> hosts = new ArrayList<>();
        List<String> paths = new ArrayList<>();
        for (String source : sources) {
            Matcher remote = REMOTE.matcher(source);
            if (remote.matches()) {
                hosts.addAll(ListedHosts.parse(remote.group("host")));
                paths.add(remote.group("path"));
                if (paths.contains("") || paths.contains("-")) {
                    throw new IllegalArgumentException(source + " names no file or folder of that host");
                }
            }
        }
        if (hosts.isEmpty()) {
            return Optional.empty();
        }
        if (hosts.size() < sources.size() || hosts.stream().distinct().count() > 1) {
            throw new IllegalArgumentException("all SRC have to be on one host");
        }
        return Optional.of(new RemoteSources(hosts.get(0), List.copyOf(paths)));
    }
}
