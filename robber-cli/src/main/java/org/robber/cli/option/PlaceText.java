package org.robber.cli.option;

import picocli.CommandLine.ITypeConverter;

/** Reads a destination, which may have patterns such as {@code {node}}. */
public final class PlaceText implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
        FileNameText.check(text);
        return text;
    }
}
