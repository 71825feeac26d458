package org.robber.cli.launch;

import java.util.List;
import org.robber.JobControl.JobProgress;
import org.robber.cli.node.NodeOutput;

/** The launcher's end of the pipe from a node: turns each line back into the call that {@link PipeOutput} got. */
final class PipeReader {

    static final String LISTENING = "listening";
    static final String JOINED = "joined";
    static final String STARTED = "started";
    static final String PROGRESS = "progress";
    static final String LOST = "lost";
    static final String RESULT = "result";
    static final String ERROR = "error";

    private PipeReader() {}

    /**
     * Understands one line.
     *
     * @return false if it is no line of {@link PipeOutput}'s: then nothing is called
     */
    static boolean read(String line, NodeOutput target) {
        int blank = line.indexOf(' ');
        if (blank < 0) {
            return false;
        }
        String text = line.substring(blank + 1);
        try {
            switch (line.substring(0, blank)) {
                case LISTENING -> target.listening(Integer.parseInt(text));
                case JOINED -> target.joined(Integer.parseInt(text));
                case STARTED -> target.started(Long.parseLong(text));
                case PROGRESS -> target.progress(progress(text.split(" ", -1)));
                case LOST -> target.lost(Integer.parseInt(text));
                case RESULT -> target.result(text);
                case ERROR -> {
                    int end = text.indexOf(' ');
                    target.error(Integer.parseInt(text.substring(0, end)), text.substring(end + 1));
                }
                default -> {
                    return false;
                }
            }
            return true;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return false;
        }
    }

    private static JobProgress progress(String[] numbers) {
        return new JobProgress(
                Long.parseLong(numbers[0]),
                Long.parseLong(numbers[1]),
                Integer.parseInt(numbers[2]),
                Integer.parseInt(numbers[3]),
                List.of());
    }
}
