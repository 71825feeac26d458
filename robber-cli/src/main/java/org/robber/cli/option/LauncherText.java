package org.robber.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What starts nodes on hosts: {@code ssh}, {@code serve}, or {@code serve:PORT}. */
final class LauncherText implements ITypeConverter<LauncherText.Launcher> {
    private static final String SSH = "ssh";
    private static final String SERVE = "serve";

    /**
     * A launcher.
     *
     * @param port of the daemons, or 0 for ssh
     */
    record Launcher(int port) {
        boolean isSsh() {
            return port == 0;
        }
    }

    @Override
    public Launcher convert(String text) {
        if (text.equals(SSH)) {
            return new Launcher(0);
        }
        if (text.equals(SERVE)) {
            return new Launcher(ListenText.PORT);
        }
        if (text.startsWith(SERVE + ":")) {
            return new Launcher(ListenText.port(text.substring(SERVE.length() + 1)));
        }
        throw new TypeConversionException("'" + text + "' is no launcher: use ssh, serve or serve:PORT");
    }
}
