package org.robber.emulation.testbed.wan;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * IPv4 addresses with a common beginning.
 *
 * @param network the first address
 * @param prefixBits length of the common beginning, from 0 to 32
 */
public record Subnet(int network, int prefixBits) {

    private static final Pattern NOTATION =
            Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})/(\\d{1,2})");
    private static final int PARTS = 4;
    private static final int ADDRESS_BITS = 32;

    public Subnet {
        checkArgument(prefixBits >= 0 && prefixBits <= ADDRESS_BITS, "prefix of %s bits", prefixBits);
        checkArgument(
                (network & ~mask(prefixBits)) == 0, "the address goes beyond the %s bits of its prefix", prefixBits);
    }

    /**
     * Reads the usual notation, {@code 10.1.0.0/16}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static Subnet parse(String text) {
        Matcher matcher = NOTATION.matcher(text);
        checkArgument(matcher.matches(), "not a subnet such as 10.1.0.0/16: %s", text);
        int network = 0;
        for (int part = 1; part <= PARTS; part++) {
            int octet = Integer.parseInt(matcher.group(part));
            checkArgument(octet <= 0xff, "not a subnet, %s is above 255: %s", octet, text);
            network = network << 8 | octet;
        }
        return new Subnet(network, Integer.parseInt(matcher.group(PARTS + 1)));
    }

    /** Whether an address is one of these. */
    public boolean contains(int address) {
        return (address & mask(prefixBits)) == network;
    }

    /** Whether an address is in both. */
    public boolean overlaps(Subnet other) {
        return contains(other.network) || other.contains(network);
    }

    @Override
    public String toString() {
        return (network >>> 24) + "." + (network >>> 16 & 0xff) + "." + (network >>> 8 & 0xff) + "." + (network & 0xff)
                + "/" + prefixBits;
    }

    private static int mask(int bits) {
        return bits == 0 ? 0 : -1 << (ADDRESS_BITS - bits);
    }
}
