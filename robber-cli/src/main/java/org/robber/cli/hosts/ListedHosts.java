package org.robber.cli.hosts;

import com.google.common.base.Strings;
import com.google.common.net.InetAddresses;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.robber.cli.report.FileFailure;
import org.robber.transport.launch.HostList;

/**
 * Reads lists of hosts in the syntax of clush and pdsh: {@code A:node[01-16,20],B:admin@gpu[001-064]-ib}. A cluster before a colon
 * holds until the next one. IPv6 addresses stand in brackets. Errors are {@link IllegalArgumentException}s in words for users.
 */
public final class ListedHosts {

    /** Most hosts of one job: each costs a process of ssh on this machine as long as the job runs. */
    public static final int MOST = 1024;

    private static final Pattern CLUSTER = Pattern.compile("\\w[\\w.-]{0,63}");

    /** Nothing that ssh takes for an option, and nothing that is more than a name in a path. */
    private static final Pattern HOST = Pattern.compile("(?:\\w[\\w.-]{0,63}@)?\\w[\\w.-]{0,252}");

    /** In brackets, as in the address of a page, since colons mark clusters. */
    private static final Pattern IPV6 = Pattern.compile("(?<user>\\w[\\w.-]{0,63}@)?\\[(?<address>[\\p{XDigit}:.]+)]");

    private static final String IPV6_ADVICE =
            "; IPv6 addresses stand in brackets: A:[2001:db8::7],B:admin@[2001:db8::8]";

    private static final String LIST_ADVICE = "; write A:node[01-16],B:gpu[001-064]";

    private static final long MOST_BYTES = 1 << 20;

    private final List<ListedHost> hosts = new ArrayList<>();
    private final Set<String> addresses = new HashSet<>();

    private ListedHosts() {}

    /** The hosts of a list, in its order; at least one. */
    public static List<ListedHost> parse(String text) {
        ListedHosts list = new ListedHosts();
        list.add(text);
        return List.copyOf(list.hosts);
    }

    /** The hosts of a file with a list in each line, in its order; at least one. After {@code #} comes a comment. */
    public static List<ListedHost> read(Path file) {
        ListedHosts list = new ListedHosts();
        List<String> lines = lines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceFirst("#.*", "").strip();
            if (!line.isEmpty()) {
                try {
                    list.add(line);
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(file + ", line " + (i + 1) + ": " + e.getMessage(), e);
                }
            }
        }
        if (list.hosts.isEmpty()) {
            throw new IllegalArgumentException(file + ": no hosts");
        }
        return List.copyOf(list.hosts);
    }

    private static List<String> lines(Path file) {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new IllegalArgumentException(file + ": larger than " + MOST_BYTES + " bytes");
            }
            return Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(file + ": no such file", e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + ": not a text in UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + ": cannot be read: " + FileFailure.text(e), e);
        }
    }

    private void add(String text) {
        @Nullable String cluster = null;
        for (String part : HostList.split(text)) {
            String names = part.strip();
            int bracket = names.indexOf('[');
            int colon = names.indexOf(':');
            if (colon >= 0 && (bracket < 0 || colon < bracket)) {
                cluster = names.substring(0, colon);
                names = names.substring(colon + 1);
                if (!CLUSTER.matcher(cluster).matches()) {
                    throw new IllegalArgumentException("'" + cluster + "' before the colon is no name of a cluster"
                            + (names.indexOf(':') < 0 ? "" : IPV6_ADVICE));
                }
            }
            if (names.isEmpty()) {
                throw new IllegalArgumentException("'" + text + "' lacks the name of a host" + LIST_ADVICE);
            }
            for (String name : expand(names)) {
                add(new ListedHost(name, cluster));
            }
        }
    }

    private static List<String> expand(String names) {
        Matcher ipv6 = IPV6.matcher(names);
        if (ipv6.matches() && InetAddresses.isInetAddress(ipv6.group("address"))) {
            // ssh takes it without brackets
            return List.of(Strings.nullToEmpty(ipv6.group("user")) + ipv6.group("address"));
        }
        List<String> expanded;
        try {
            expanded = HostList.expand(names, MOST);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + LIST_ADVICE, e);
        }
        expanded.forEach(ListedHosts::check);
        return expanded;
    }

    private static void check(String address) {
        if (!HOST.matcher(address).matches()) {
            throw new IllegalArgumentException(
                    "'" + address + "' is no name of a host" + (address.indexOf(':') < 0 ? "" : IPV6_ADVICE));
        }
    }

    private void add(ListedHost host) {
        if (!addresses.add(host.address())) {
            throw new IllegalArgumentException(host.address() + " is listed twice");
        }
        if (hosts.size() == MOST) {
            throw new IllegalArgumentException("more than " + MOST + " hosts: use a launcher such as srun");
        }
        hosts.add(host);
    }
}
