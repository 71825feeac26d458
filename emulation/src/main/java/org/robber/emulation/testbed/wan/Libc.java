package org.robber.emulation.testbed.wan;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import java.nio.ByteBuffer;

/**
 * System calls that the JDK does not offer. Addresses are numbers, so that a call allocates nothing; errors are told by -1 and
 * {@link #errno()}.
 */
@SuppressWarnings("checkstyle:MethodName") // the names are those of the manual pages
final class Libc {

    static final int O_RDWR = 2;
    static final int O_NONBLOCK = 0x800;
    static final int O_CLOEXEC = 0x80000;
    static final int AF_INET = 2;
    static final int SOCK_DGRAM = 2;
    static final short POLLIN = 1;

    static final int EINTR = 4;
    static final int EAGAIN = 11;

    static final int PR_SET_TIMERSLACK = 29;
    static final int SCHED_FIFO = 1;
    static final int PRIO_PROCESS = 0;

    static {
        Native.register(Libc.class, Platform.C_LIBRARY_NAME);
    }

    private Libc() {}

    static native int open(String path, int flags);

    static native int close(int fd);

    static native int socket(int domain, int type, int protocol);

    static native int ioctl(int fd, long request, long argument);

    static native long read(int fd, long address, long count);

    static native long write(int fd, long address, long count);

    static native int ppoll(long fds, long count, long timeout, long signals);

    static native int prctl(int option, long argument2, long argument3, long argument4, long argument5);

    static native int sched_setscheduler(int pid, int policy, long parameter);

    static native int setpriority(int which, int who, int priority);

    static native String strerror(int errno);

    /** Why the last call of this thread failed. */
    static int errno() {
        return Native.getLastError();
    }

    /** Why the last call of this thread failed, in words. */
    static String reason() {
        return strerror(errno());
    }

    /** Where a direct buffer begins. */
    static long address(ByteBuffer direct) {
        return com.sun.jna.Pointer.nativeValue(Native.getDirectBufferPointer(direct));
    }
}
