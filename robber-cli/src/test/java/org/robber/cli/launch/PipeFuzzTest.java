package org.robber.cli.launch;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import org.robber.cli.node.NodeOutput;

/**
 * Fuzz target for lines that come from a node through its pipe. An ordinary build replays the inputs kept among the test
 * resources; with {@code JAZZER_FUZZ=1} in the environment, Jazzer looks for new ones.
 */
class PipeFuzzTest {
    private static final NodeOutput NOBODY = (NodeOutput) Proxy.newProxyInstance(
            NodeOutput.class.getClassLoader(), new Class<?>[] {NodeOutput.class}, (proxy, method, arguments) -> null);

    @FuzzTest(maxDuration = "1m")
    void line(byte[] bytes) {
        boolean unused = PipeReader.read(new String(bytes, StandardCharsets.UTF_8), NOBODY);
    }
}
