package org.robber.emulation.testbed.wan;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A network device whose other side is this process: packets from the kernel are read here, one IP packet a time. The kernel
 * removes it when this process ends; until then it may be moved to any network namespace.
 */
final class TunDevice {

    private static final String PATH = "/dev/net/tun";
    private static final int IFREQ_BYTES = 40;
    private static final int IFREQ_UNION = 16;
    private static final int IFF_TUN = 0x0001;
    private static final int IFF_NO_PI = 0x1000;
    private static final int IFF_VNET_HDR = 0x4000;
    private static final int IFF_TUN_EXCL = 0x8000;
    private static final int TUN_F_CSUM = 0x01;
    private static final int TUN_F_TSO4 = 0x02;
    private static final int TUN_F_TSO_ECN = 0x08;
    private static final long TUNSETOFFLOAD = 0x400454d0L;
    private static final long TUNSETIFF = 0x400454caL;
    private static final long SIOCSIFMTU = 0x8922L;

    private final String name;
    private final int fd;

    private TunDevice(String name, int fd) {
        this.name = name;
        this.fd = fd;
    }

    /**
     * Makes a device, which is down and has no address yet. Before each packet that is read and written stands the header of
     * {@link Offload}. Checksums of packets are not computed.
     *
     * @param superPackets whether TCP may send more than the MTU at a time; otherwise the kernel cuts it, and each packet read is
     *     one on the line
     * @throws IOException if the device exists already, or the kernel doesn't let us
     */
    static TunDevice open(String name, int mtu, boolean superPackets) throws IOException {
        int fd = Libc.open(PATH, Libc.O_RDWR | Libc.O_NONBLOCK | Libc.O_CLOEXEC);
        if (fd < 0) {
            throw new IOException("cannot open " + PATH + ": " + Libc.reason());
        }
        ByteBuffer request =
                request(name).putShort(IFREQ_UNION, (short) (IFF_TUN | IFF_NO_PI | IFF_VNET_HDR | IFF_TUN_EXCL));
        if (Libc.ioctl(fd, TUNSETIFF, Libc.address(request)) < 0) {
            throw new IOException("cannot make the device " + name + ": " + Libc.reason());
        }
        int offloads = superPackets ? TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO_ECN : TUN_F_CSUM;
        if (Libc.ioctl(fd, TUNSETOFFLOAD, offloads) < 0) {
            throw new IOException("cannot keep the kernel from cutting packets for " + name + ": " + Libc.reason());
        }
        setMtu(name, mtu);
        return new TunDevice(name, fd);
    }

    String name() {
        return name;
    }

    int fd() {
        return fd;
    }

    private static void setMtu(String name, int mtu) throws IOException {
        int socket = Libc.socket(Libc.AF_INET, Libc.SOCK_DGRAM, 0);
        if (socket < 0) {
            throw new IOException("cannot make a socket: " + Libc.reason());
        }
        ByteBuffer request = request(name).putInt(IFREQ_UNION, mtu);
        int result = Libc.ioctl(socket, SIOCSIFMTU, Libc.address(request));
        String reason = Libc.reason();
        Libc.close(socket);
        if (result < 0) {
            throw new IOException("cannot give the device " + name + " an MTU of " + mtu + ": " + reason);
        }
    }

    private static ByteBuffer request(String name) {
        ByteBuffer request = ByteBuffer.allocateDirect(IFREQ_BYTES).order(ByteOrder.nativeOrder());
        request.put(0, name.getBytes(StandardCharsets.US_ASCII));
        return request;
    }
}
