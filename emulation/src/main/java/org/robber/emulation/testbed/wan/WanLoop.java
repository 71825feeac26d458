package org.robber.emulation.testbed.wan;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Moves packets between the devices and the {@link Fabric}, in real time, and answers commands. One thread does all of it, and
 * sleeps until a packet comes or is due. Nothing is allocated for a packet.
 */
final class WanLoop implements Fabric.Exit {

    private static final int STDIN = 0;
    /** Packets read from a device before those that are due elsewhere have their turn. */
    private static final int BATCH = 32;

    private static final int MAX_LINE_BYTES = 1024;
    private static final int INPUT_BYTES = 16384;

    private final TunDevice[] devices;
    private final int[] fds;
    private final PacketSlots slots;
    private final PacketMemory memory;
    private final PacketCounters counters;
    private final Fabric fabric;
    private final Commands commands;
    private final Appendable answers;
    private final LineBuffer lines = new LineBuffer(MAX_LINE_BYTES);
    private final ByteBuffer input = ByteBuffer.allocateDirect(INPUT_BYTES);
    private final Poller poller;
    private final PollingPace pace = new PollingPace();
    private final int mtu;
    private long timeNanos = Long.MIN_VALUE;
    /** Where the next packet is read to. */
    private int incoming;

    /**
     * For devices that exist.
     *
     * @param answers where answers to commands go, one line each
     */
    WanLoop(List<TunDevice> devices, List<Subnet> subnets, int packets, int mtu, long seed, Appendable answers) {
        this.devices = devices.toArray(new TunDevice[0]);
        this.mtu = mtu;
        this.answers = answers;
        slots = new PacketSlots(packets);
        // whole cache lines
        memory = new PacketMemory(packets, (Offload.BYTES + Offload.MAX_PACKET_BYTES + 63) & -64);
        incoming = slots.take();
        counters = new PacketCounters(devices.size() * devices.size());
        fabric = new Fabric(subnets, slots, counters, seed, this);
        commands = new Commands(fabric, counters);
        fds = IntStream.concat(devices.stream().mapToInt(TunDevice::fd), IntStream.of(STDIN))
                .toArray();
        poller = new Poller(fds);
    }

    /**
     * Runs until standard input ends.
     *
     * @throws IOException if a device is gone, or answers can't be written
     */
    void run() throws IOException {
        boolean open = true;
        while (open) {
            long now = System.nanoTime();
            fabric.advance(passTo(pace.untilNanos(now)));
            if (pace.restUntilNanos() > now) {
                poller.sleep(pace.restUntilNanos() - now);
                now = System.nanoTime();
            }
            long next = fabric.nextNanos();
            long wait = next == VirtualClockQueue.NEVER ? next : pace.waitNanos(now, next);
            boolean ready = poller.await(wait);
            long woken = System.nanoTime();
            if (!ready && wait > 0) {
                pace.wokeUp(woken - now - wait);
            }
            pace.waited(now, woken);
            open = !ready || take();
        }
    }

    /** The time of the network, which never goes back; it may be ahead of the clock by half a rest. */
    private long passTo(long nanos) {
        timeNanos = Math.max(timeNanos, nanos);
        return timeNanos;
    }

    /** Reads available input; false at the end of standard input. */
    private boolean take() throws IOException {
        passTo(pace.cameNanos());
        for (int cluster = 0; cluster < devices.length; cluster++) {
            if (poller.isReady(cluster)) {
                receive(cluster);
            }
        }
        return !poller.isReady(devices.length) || listen();
    }

    @Override
    public boolean deliver(int cluster, int slot) {
        int bytes = slots.storedBytes(slot);
        return Libc.write(fds[cluster], memory.address(slot), bytes) == bytes;
    }

    private void receive(int cluster) throws IOException {
        for (int i = 0; i < BATCH; i++) {
            int bytes = (int) Libc.read(fds[cluster], memory.address(incoming), memory.slotBytes());
            if (bytes <= 0) {
                int errno = Libc.errno();
                if (bytes < 0 && (errno == Libc.EAGAIN || errno == Libc.EINTR)) {
                    return;
                }
                throw new IOException("the device " + devices[cluster].name() + " is gone: " + Libc.strerror(errno));
            }
            DropReason refusal = refusal(cluster, bytes);
            if (refusal == null) {
                int slot = incoming;
                incoming = slots.take();
                fabric.send(timeNanos, slot);
            } else {
                counters.refuse(refusal);
            }
        }
    }

    /** Why the incoming packet can't go on; null if it can, and is described in its place. */
    private @Nullable DropReason refusal(int cluster, int storedBytes) {
        ByteBuffer packets = memory.bytes(incoming);
        int header = memory.offset(incoming);
        int offset = header + Offload.BYTES;
        int bytes = storedBytes - Offload.BYTES;
        if (bytes <= 0) {
            return DropReason.MALFORMED;
        }
        if (!Ipv4.isVersion4(packets, offset)) {
            return DropReason.OTHER_PROTOCOL;
        }
        if (!Ipv4.isWhole(packets, offset, bytes)) {
            return DropReason.MALFORMED;
        }
        int destination = Ipv4.destination(packets, offset);
        if (Ipv4.isMulticast(destination)) {
            return DropReason.MULTICAST;
        }
        int link = fabric.route(cluster, destination);
        if (link < 0) {
            return DropReason.UNREACHABLE;
        }
        if (slots.free() == 0) {
            return DropReason.NO_ROOM;
        }
        return describe(packets, header, bytes, link) ? null : DropReason.OVERSIZED;
    }

    /** Describes the incoming packet in its place; false if it is too large. */
    private boolean describe(ByteBuffer packets, int header, int bytes, int link) {
        int storedBytes = Offload.BYTES + bytes;
        if (!Offload.isSuper(packets, header)) {
            slots.describe(incoming, bytes, 1, storedBytes, link);
            return bytes <= mtu;
        }
        int headerBytes = Offload.headerBytes(packets, header, bytes, mtu);
        if (headerBytes == 0) {
            return false;
        }
        int count = Offload.packets(packets, header, bytes, headerBytes);
        Offload.setHeaderBytes(packets, header, headerBytes);
        slots.describe(incoming, bytes + (count - 1) * headerBytes, count, storedBytes, link);
        return true;
    }

    /** Reads and answers commands; false at the end of standard input. Those that come together take effect together. */
    private boolean listen() throws IOException {
        long count = Libc.read(STDIN, Libc.address(input), input.capacity());
        long nowNanos = passTo(System.nanoTime());
        for (int i = 0; i < count; i++) {
            if (lines.add(input.get(i))) {
                answers.append(commands.answer(nowNanos, lines.line())).append('\n');
            }
        }
        pace.suit(fabric.shortestDelayNanos());
        return count > 0 || (count < 0 && Libc.errno() == Libc.EINTR);
    }
}
