package org.robber.cli.option;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.robber.cli.report.FileFailure;

/** A file with values of options: {@code piece-size = 1M} in a line. Empty lines, and lines that begin with {@code #}, are comments. */
public final class ConfigFile {

    private final String name;
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private record Entry(String value, int line) {}

    private ConfigFile(String name) {
        this.name = name;
    }

    /** No file. */
    public static ConfigFile none() {
        return new ConfigFile("");
    }

    /**
     * Reads the file that arguments or variables name, or else that of the user, if there is one.
     *
     * @param arguments of the command
     * @param isList whether a key may be there several times
     * @throws IllegalArgumentException if the file cannot be read, or is none: the message names the line
     */
    public static ConfigFile find(
            List<String> arguments, Map<String, String> variables, String userHome, Predicate<String> isList) {
        String named = named(arguments);
        if (named == null) {
            named = variables.getOrDefault("ROBBER_CONFIG", "");
        }
        try {
            if (!named.isEmpty()) {
                return read(Path.of(named), isList);
            }
            String base = variables.getOrDefault("XDG_CONFIG_HOME", "");
            Path folder = base.startsWith("/") ? Path.of(base) : Path.of(userHome, ".config");
            Path file = folder.resolve("robber").resolve("config");
            return Files.isRegularFile(file) ? read(file, isList) : none();
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(ConfigOption.NAME + ": " + e.getMessage(), e);
        }
    }

    private static @Nullable String named(List<String> arguments) {
        for (int i = 0; i < arguments.size() && !arguments.get(i).equals("--"); i++) {
            String argument = arguments.get(i);
            if (argument.startsWith(ConfigOption.NAME + "=")) {
                return argument.substring(ConfigOption.NAME.length() + 1);
            }
            if (argument.equals(ConfigOption.NAME) && i + 1 < arguments.size()) {
                return arguments.get(i + 1);
            }
        }
        return null;
    }

    private static ConfigFile read(Path path, Predicate<String> isList) {
        ConfigFile file = new ConfigFile(path.toString());
        try {
            List<String> lines = Files.readAllLines(path);
            for (int i = 0; i < lines.size(); i++) {
                file.add(lines.get(i).strip(), i + 1, isList);
            }
            return file;
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no configuration file " + path, e);
        } catch (MalformedInputException e) {
            throw new IllegalArgumentException("the configuration file " + path + " is not UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the configuration file " + path + " cannot be read: " + FileFailure.text(e), e);
        }
    }

    private void add(String line, int number, Predicate<String> isList) {
        if (line.isEmpty() || line.startsWith("#")) {
            return;
        }
        int equals = line.indexOf('=');
        if (equals < 0) {
            throw new IllegalArgumentException(
                    at(number) + "'" + line + "' is no setting: write KEY = VALUE, such as piece-size = 1M");
        }
        String key = line.substring(0, equals).strip();
        String value = line.substring(equals + 1).strip();
        Entry earlier = entries.get(key);
        if (earlier != null && !isList.test(key)) {
            throw new IllegalArgumentException(at(number) + "'" + key + "' is there already, in line " + earlier.line);
        }
        if (!value.isEmpty()) {
            entries.put(key, new Entry(earlier == null ? value : earlier.value + "\n" + value, number));
        }
    }

    private String at(int line) {
        return name + ":" + line + ": ";
    }

    /**
     * Refuses keys that no option has.
     *
     * @throws IllegalArgumentException that names the first of them
     */
    public void check(Predicate<String> isKey) {
        entries.forEach((key, entry) -> {
            if (!isKey.test(key)) {
                throw new IllegalArgumentException(at(entry.line) + "'" + key
                        + "' is no option: keys are long options without dashes, as in docs/reference/cli.md");
            }
        });
    }

    /** Whether all keys are known. */
    public boolean knows(Predicate<String> isKey) {
        return entries.keySet().stream().allMatch(isKey);
    }

    /** The value of a key, or null. */
    @Nullable
    String value(String key) {
        Entry entry = entries.get(key);
        return entry == null ? null : entry.value;
    }

    /** Where a key is, for people: file and line. */
    String place(String key) {
        Entry entry = entries.get(key);
        return entry == null ? name : name + ":" + entry.line;
    }
}
