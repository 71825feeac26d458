package org.robber.transport.rendezvous;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** How people know this process. */
final class ThisProcess {
    private ThisProcess() {}

    /** The name of this machine, as far as it has one. */
    static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            String name = System.getenv("HOSTNAME");
            return name == null ? "(unnamed host)" : name;
        }
    }

    static long id() {
        return ProcessHandle.current().pid();
    }
}
