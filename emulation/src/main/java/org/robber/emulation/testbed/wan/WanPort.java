package org.robber.emulation.testbed.wan;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.regex.Pattern;

/**
 * Where a cluster meets the wide-area network.
 *
 * @param device name of the TUN device that is made for the cluster's router, 1 to 15 characters of {@code A-Z a-z 0-9 _ -}
 * @param subnet addresses of the cluster's nodes
 */
public record WanPort(String device, Subnet subnet) {

    /** Names that the kernel accepts and that need no quoting. */
    private static final Pattern DEVICE = Pattern.compile("[A-Za-z0-9_-]{1,15}");

    public WanPort {
        checkArgument(DEVICE.matcher(device).matches(), "not a name of a device: %s", device);
    }

    /** Parses the text of {@link #toString}. */
    static WanPort parse(String text) {
        int equals = text.indexOf('=');
        checkArgument(equals >= 0, "not a port such as wan0=10.1.0.0/16: %s", text);
        return new WanPort(text.substring(0, equals), Subnet.parse(text.substring(equals + 1)));
    }

    @Override
    public String toString() {
        return device + "=" + subnet;
    }
}
