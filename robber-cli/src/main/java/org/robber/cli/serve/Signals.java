package org.robber.cli.serve;

import java.lang.reflect.Proxy;

/**
 * Signals of the system. The one public means of Java to hear of them is a shutdown hook. It cannot choose the exit code, and knows
 * nothing of SIGHUP. The module jdk.unsupported has another. The compiler warns of it, so it is found at run time.
 */
final class Signals {
    private Signals() {}

    /**
     * Runs this, on a thread of its own, whenever the signal comes, in place of what Java does.
     *
     * @param name such as {@code HUP}
     * @throws IllegalStateException if this Java cannot do that
     */
    static void handle(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object calls = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                        }
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), calls);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this Java cannot handle SIG" + name, e);
        }
    }
}
