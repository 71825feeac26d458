package org.robber.emulation.testbed.wan;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The process of the wide-area network: {@code WanMain [--single] MTU PACKETS SEED DEVICE=SUBNET ...}. It makes the devices, says
 * {@code ready} on standard output, and then moves packets and executes {@link Commands} from standard input until its end. A fatal
 * error is its last line, {@code fatal: ...}. With {@code --single}, it handles every packet by itself; without, what TCP sends in
 * one go stays together.
 */
public final class WanMain {

    static final String SINGLE = "--single";

    /** Arguments before the ports. */
    private static final int OPTIONS = 3;

    private static final int MIN_MTU = 576;
    private static final int MAX_MTU = 65535;

    private WanMain() {}

    /** Runs until standard input ends, with exit code 0, or something breaks, with 1; 2 is for wrong arguments. */
    public static void main(String[] args) {
        // Without the locks and buffers of System.out: one write for one answer.
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.US_ASCII);
        int exit = 1;
        try {
            run(args, out);
            exit = 0;
        } catch (IllegalArgumentException e) {
            out.println("fatal: " + e.getMessage());
            exit = 2;
        } catch (IOException | RuntimeException | LinkageError e) {
            out.println("fatal: " + e.getMessage());
        }
        out.flush();
        // At once, without hooks of libraries: the devices go with the process.
        Runtime.getRuntime().halt(exit);
    }

    private static void run(String[] arguments, PrintStream out) throws IOException {
        boolean single = arguments.length > 0 && arguments[0].equals(SINGLE);
        String[] args = single ? Arrays.copyOfRange(arguments, 1, arguments.length) : arguments;
        checkArgument(args.length > OPTIONS, "usage: WanMain [--single] MTU PACKETS SEED DEVICE=SUBNET ...");
        int mtu = Integer.parseInt(args[0]);
        checkArgument(mtu >= MIN_MTU && mtu <= MAX_MTU, "an MTU of %s", mtu);
        int packets = Integer.parseInt(args[1]);
        long seed = Long.parseLong(args[2]);
        ImmutableList<WanPort> ports =
                Arrays.stream(args).skip(OPTIONS).map(WanPort::parse).collect(ImmutableList.toImmutableList());
        WarmUp.run();
        List<TunDevice> devices = new ArrayList<>();
        for (WanPort port : ports) {
            devices.add(TunDevice.open(port.device(), mtu, !single));
        }
        ImmutableList<Subnet> subnets = ports.stream().map(WanPort::subnet).collect(ImmutableList.toImmutableList());
        WanLoop loop = new WanLoop(devices, subnets, packets, mtu, seed, out);
        Precedence precedence = Precedence.take();
        out.println("ready " + precedence);
        out.flush();
        loop.run();
    }
}
