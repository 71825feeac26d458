package org.robber.cli.option;

import org.jspecify.annotations.Nullable;
import org.robber.DataAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Where a node listens for data. */
public final class DataAddressOptions {

    @Option(
            names = "--data-address",
            paramLabel = "ADDRESS|INTERFACE|CIDR",
            defaultValue = "",
            description = "Where nodes listen for data, and what they tell the others: an address, an interface, or a"
                    + " network that one address of the node is in. Several have commas between, the best first."
                    + " Default: the address at which rank 0 sees the node.")
    private String network = "";

    @Option(
            names = "--data-ports",
            paramLabel = "A-B",
            converter = PortsText.class,
            description = "Ports at which nodes may listen for data; a node needs one. Default: any free port.")
    private PortsText.@Nullable Ports ports;

    /** The address and the ports together. */
    public DataAddress address() {
        PortsText.Ports chosen = ports;
        return chosen == null
                ? new DataAddress(network, 0, 0)
                : new DataAddress(network, chosen.first(), chosen.last());
    }

    /** A range of ports as text, such as {@code 7000-7015}, or one port. */
    static final class PortsText implements ITypeConverter<PortsText.Ports> {
        /** From the first to the last. */
        record Ports(int first, int last) {}

        @Override
        public Ports convert(String text) {
            int dash = text.indexOf('-');
            try {
                int first = Integer.parseInt(dash < 0 ? text : text.substring(0, dash));
                int last = dash < 0 ? first : Integer.parseInt(text.substring(dash + 1));
                if (first > 0 && first <= last && last <= 0xFFFF) {
                    return new Ports(first, last);
                }
            } catch (NumberFormatException e) {
                // The message below says it.
            }
            throw new TypeConversionException(
                    "'" + text + "' is no range of ports: write it as in 7000-7015, with ports from 1 to 65535");
        }
    }
}
