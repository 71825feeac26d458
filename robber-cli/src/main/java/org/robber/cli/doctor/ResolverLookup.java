package org.robber.cli.doctor;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** Asks the name service of this machine. */
final class ResolverLookup implements NetworkChecks.NameLookup {

    @Override
    public @Nullable String address(String name) {
        try {
            return InetAddress.getByName(name).getHostAddress();
        } catch (UnknownHostException e) {
            return null;
        }
    }
}
