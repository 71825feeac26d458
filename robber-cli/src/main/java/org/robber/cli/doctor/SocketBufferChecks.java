package org.robber.cli.doctor;

import java.util.List;
import org.robber.cli.progress.ByteText;

/**
 * Whether the kernel lets one connection have as much on its way as the line holds. Robber sets no buffer sizes, so the kernel adapts them
 * up to the maximum of {@code tcp_rmem} and {@code tcp_wmem}; {@code net.core.rmem_max} is for programs that set them.
 */
record SocketBufferChecks(MachineFiles machine, Line line) {

    private static final String RECEIVE = "net.ipv4.tcp_rmem";
    private static final String SEND = "net.ipv4.tcp_wmem";
    private static final String ADAPTS = "net.ipv4.tcp_moderate_rcvbuf";
    private static final String SCALES = "net.ipv4.tcp_window_scaling";
    private static final long UNSCALED_WINDOW_BYTES = 65_535;
    private static final long MEBIBYTE = 1 << 20;
    private static final long MOST_MEBIBYTES = 2047;

    List<Finding> findings() {
        return List.of(receiveBuffer(), sendBuffer(), windowScaling());
    }

    /** The kernel keeps half of a receive buffer for its own records of packets, so the other half is the window. */
    private Finding receiveBuffer() {
        String check = "tcp-receive-buffer";
        boolean adapts = machine.number(ADAPTS, 0) != 0;
        long bytes = machine.number(RECEIVE, adapts ? 2 : 1);
        if (bytes < 0) {
            return Finding.unknown(check, RECEIVE + " cannot be read");
        }
        if (!adapts) {
            String found = ADAPTS + " is 0: receive buffers stay at " + ByteText.bytes(bytes);
            return enough(bytes / 2)
                    ? Finding.good(check, found)
                    : Finding.holdsBack(check, found, cost(bytes / 2), "sysctl -w " + ADAPTS + "=1");
        }
        String found = "receive buffers grow to " + ByteText.bytes(bytes) + ", of which half is the window";
        return enough(bytes / 2)
                ? Finding.good(check, found)
                : Finding.holdsBack(check, found, cost(bytes / 2), cure(RECEIVE));
    }

    private Finding sendBuffer() {
        String check = "tcp-send-buffer";
        long bytes = machine.number(SEND, 2);
        if (bytes < 0) {
            return Finding.unknown(check, SEND + " cannot be read");
        }
        String found = "send buffers grow to " + ByteText.bytes(bytes);
        return enough(bytes) ? Finding.good(check, found) : Finding.holdsBack(check, found, cost(bytes), cure(SEND));
    }

    private Finding windowScaling() {
        String check = "tcp-window-scaling";
        long scales = machine.number(SCALES, 0);
        if (scales < 0) {
            return Finding.unknown(check, SCALES + " cannot be read");
        }
        String found = SCALES + " is " + scales;
        return scales != 0 || enough(UNSCALED_WINDOW_BYTES)
                ? Finding.good(check, found)
                : Finding.holdsBack(check, found, cost(UNSCALED_WINDOW_BYTES), "sysctl -w " + SCALES + "=1");
    }

    private boolean enough(long windowBytes) {
        return windowBytes >= line.bytesOnTheWay();
    }

    private String cost(long windowBytes) {
        return "a line of " + line.text() + " holds " + ByteText.bytes(line.bytesOnTheWay())
                + "; one connection gets at most " + Line.bits(line.rateOf(windowBytes));
    }

    /** Twice of what the line holds, for records of packets, in whole mebibytes. The kernel keeps these numbers in 31 bits. */
    private String cure(String parameter) {
        long mebibytes = Math.floorDiv(2 * line.bytesOnTheWay() + MEBIBYTE - 1, MEBIBYTE);
        List<String> words = machine.parameter(parameter);
        long bytes = Math.min(mebibytes, MOST_MEBIBYTES) * MEBIBYTE;
        return "sysctl -w " + parameter + "='" + words.get(0) + " " + words.get(1) + " " + bytes + "'";
    }
}
