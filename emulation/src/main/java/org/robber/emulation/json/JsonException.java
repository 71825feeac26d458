package org.robber.emulation.json;

/** A text is no JSON, or not the JSON that was expected. The message names the text, the place inside it, and the problem. */
public final class JsonException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    JsonException(String message) {
        super(message);
    }

    JsonException(String message, Throwable cause) {
        super(message, cause);
    }
}
