package org.robber.cli.doctor;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Network cards of this machine, and the name under which others look for it.
 *
 * @param names asked for names that are not in {@code /etc/hosts}
 */
record NetworkChecks(MachineFiles machine, Line line, NameLookup names) {

    private static final String CARDS = "sys/class/net";
    private static final String LOOPBACK_TYPE = "772";

    /** The least that IPv6 needs. */
    private static final int LEAST_MTU = 1280;

    private static final int HEADER_BYTES = 52;

    /** Asks for the address of a name. */
    interface NameLookup {
        /** A numeric address, or null if the name is unknown. */
        @Nullable
        String address(String name);
    }

    /** Asks the name service of this machine. */
    static @Nullable String resolved(String name) {
        try {
            return InetAddress.getByName(name).getHostAddress();
        } catch (UnknownHostException e) {
            return null;
        }
    }

    List<Finding> findings() {
        List<String> cards =
                machine.names(CARDS).stream().filter(this::leadsElsewhere).toList();
        return List.of(cards(cards), speed(cards), mtu(cards), hostName());
    }

    /** Tunnels don't know whether they are up. */
    private boolean leadsElsewhere(String card) {
        String state = read(card, "operstate");
        return !LOOPBACK_TYPE.equals(read(card, "type")) && ("up".equals(state) || "unknown".equals(state));
    }

    private Finding cards(List<String> up) {
        String check = "network-cards";
        if (machine.names(CARDS).isEmpty()) {
            return Finding.unknown(check, "/sys/class/net lists no cards");
        }
        return up.isEmpty()
                ? Finding.holdsBack(
                        check,
                        "no card but loopback is up",
                        "no other machine reaches this one; only --local works",
                        "ip link set CARD up, with an address and a route")
                : Finding.good(check, String.join(", ", up));
    }

    private Finding speed(List<String> up) {
        String check = "card-speed";
        // Virtual cards tell a speed that they do not have.
        long fastest = up.stream()
                .filter(card -> !machine.names(CARDS + "/" + card + "/device").isEmpty())
                .mapToLong(card -> MachineFiles.number(read(card, "speed")))
                .max()
                .orElse(-1);
        if (fastest <= 0) {
            return Finding.unknown(check, "no card tells its speed, as usual in virtual machines");
        }
        double bytesPerSecond = fastest * 1e6 / 8;
        String found = "the fastest card runs at " + Line.bits(bytesPerSecond);
        return bytesPerSecond >= line.bytesPerSecond()
                ? Finding.good(check, found)
                : Finding.holdsBack(
                        check, found, "the line has " + line.bandwidth(), "check cable and switch: ethtool CARD");
    }

    private Finding mtu(List<String> up) {
        String check = "mtu";
        long smallest = up.stream()
                .mapToLong(card -> MachineFiles.number(read(card, "mtu")))
                .filter(mtu -> mtu > 0)
                .min()
                .orElse(-1);
        if (smallest < 0) {
            return Finding.unknown(check, "no card tells the size of its packets");
        }
        String found = "packets have at least " + smallest + " bytes";
        return smallest >= LEAST_MTU
                ? Finding.good(check, found)
                : Finding.advice(
                        check,
                        "a card sends packets of at most " + smallest + " bytes",
                        100 * HEADER_BYTES / smallest + " % of what crosses it are headers, and each packet costs"
                                + " processor time",
                        "ip link set CARD mtu 1500, if all machines on this network do so");
    }

    private Finding hostName() {
        String check = "host-name";
        String name = machine.text("proc/sys/kernel/hostname");
        if (name == null || name.isEmpty()) {
            return Finding.unknown(check, "/proc/sys/kernel/hostname cannot be read");
        }
        String inTable = addressInTable(name);
        String address = inTable == null ? names.address(name) : inTable;
        String cure = "give nodes an address: ROBBER_URI=robber://JOB@ADDRESS:PORT";
        if (address == null) {
            return Finding.advice(
                    check,
                    name + " has no address here",
                    "rank 0 cannot listen at this name, and ends with 5",
                    cure + ", or add the name to /etc/hosts");
        }
        String found = name + " is " + address;
        return address.startsWith("127.") || address.equals("::1")
                ? Finding.advice(
                        check,
                        found,
                        "rank 0 listens on all addresses, and a machine with the same table looks for it on itself",
                        cure + ", or take " + name + " out of its line in /etc/hosts")
                : Finding.good(check, found);
    }

    private @Nullable String addressInTable(String name) {
        for (String entry : machine.lines("etc/hosts")) {
            List<String> words = List.of(entry.replaceFirst("#.*", "").strip().split("\\s+"));
            if (words.subList(1, words.size()).contains(name)) {
                return words.get(0);
            }
        }
        return null;
    }

    private @Nullable String read(String card, String file) {
        return machine.text(CARDS + "/" + card + "/" + file);
    }
}
