package org.robber.transport.launch;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a job and the address of its rank 0 as people write it: {@code robber://JOB@HOST:PORT}, with {@code
 * ?cluster=NAME} after it if wanted; numeric IPv6 addresses stand in brackets.
 *
 * <p>Not a {@link java.net.URI}: that one refuses host names with an underscore, which containers often have.
 */
record JobUri(JobAddress address, @Nullable String cluster) {
    private static final String FORM = "robber://JOB@HOST:PORT";
    private static final Pattern ADDRESS = Pattern.compile("robber://(?<job>[\\w.~+-]{1,200})@"
            + "(?:\\[(?<v6>[0-9A-Fa-f:.]+(?:%\\w+)?)]|(?<host>[\\w.-]+)):(?<port>\\d{1,5})/?");
    private static final Pattern SCHEME = Pattern.compile("^\\w*:?//");
    private static final String CLUSTER = "cluster=";

    /** Errors name the variable, and show of its value only what can't be a password. */
    static JobUri parse(String variable, String text) {
        int mark = text.indexOf('?');
        String address = mark < 0 ? text : text.substring(0, mark);
        Matcher matcher = ADDRESS.matcher(address);
        if (!matcher.matches()) {
            throw malformed(variable, text, address);
        }
        int port = Integer.parseInt(matcher.group("port"));
        if (port < 1 || port > 0xFFFF) {
            throw Variables.usage(variable + "=" + address + ": the port must be from 1 to 65535");
        }
        String v6 = matcher.group("v6");
        JobAddress rankZero = new JobAddress(matcher.group("job"), v6 == null ? matcher.group("host") : v6, port);
        return new JobUri(rankZero, mark < 0 ? null : cluster(variable, text.substring(mark + 1)));
    }

    private static RuntimeException malformed(String variable, String text, String address) {
        String rest = SCHEME.matcher(text).replaceFirst("");
        int at = rest.lastIndexOf('@');
        if (at >= 0 && rest.substring(0, at).contains(":")) {
            return Variables.usage(
                    variable + " seems to hold a password, which everybody on this machine may see: write " + FORM
                            + ", and put the secret into a file named by ROBBER_SECRET_FILE");
        }
        return Variables.usage(variable + "=" + address + " is not of the form " + FORM
                + (address.contains("[")
                                || address.chars().filter(c -> c == ':').count() < 3
                        ? ""
                        : " (IPv6 addresses stand in brackets)"));
    }

    private static String cluster(String variable, String query) {
        if (!query.startsWith(CLUSTER) || query.contains("&")) {
            throw Variables.usage(variable + " has a parameter other than cluster after its question mark");
        }
        try {
            String name = URLDecoder.decode(query.substring(CLUSTER.length()), StandardCharsets.UTF_8);
            if (name.isEmpty()) {
                throw Variables.usage(variable + " has an empty name after ?cluster=");
            }
            return name;
        } catch (IllegalArgumentException e) {
            throw Variables.usage(variable + ": the name after ?cluster= has a bad % sequence");
        }
    }
}
