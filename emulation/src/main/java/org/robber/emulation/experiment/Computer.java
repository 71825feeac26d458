package org.robber.emulation.experiment;

/**
 * Where runs were done.
 *
 * @param java version of Java
 * @param vm name and version of the virtual machine
 * @param system name of the operating system
 * @param kernel its version
 * @param architecture such as {@code amd64}
 * @param cores processors that the virtual machine may use
 */
public record Computer(String java, String vm, String system, String kernel, String architecture, int cores) {

    /** The one that this process runs on. */
    public static Computer here() {
        return new Computer(
                System.getProperty("java.version", ""),
                System.getProperty("java.vm.name", "") + " " + System.getProperty("java.vm.version", ""),
                System.getProperty("os.name", ""),
                System.getProperty("os.version", ""),
                System.getProperty("os.arch", ""),
                Runtime.getRuntime().availableProcessors());
    }
}
