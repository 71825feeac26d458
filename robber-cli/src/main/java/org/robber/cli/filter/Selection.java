package org.robber.cli.filter;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.robber.cli.message.Fields;

/**
 * What of the source is copied, and whether the destination keeps what the source does not have; as the user said it. Files with
 * patterns and paths are read when the source is.
 *
 * @param rules in the order in which they count
 * @param filesFrom a file with the paths to copy; empty for all
 * @param deletes whether what the source does not have is removed from its copies
 */
public record Selection(List<RuleText> rules, String filesFrom, boolean deletes) {

    /** Where a rule comes from. */
    public enum Kind {
        /** A pattern of what is copied. */
        INCLUDE,
        /** A pattern of what is left out. */
        EXCLUDE,
        /** A file with patterns of what is left out. */
        EXCLUDE_FROM;

        /** The option. */
        public String option() {
            return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** A pattern, or the name of a file with patterns. */
    public record RuleText(Kind kind, String text) {}

    /** All of the source. */
    public static Selection all() {
        return new Selection(List.of(), "", false);
    }

    /** Whether all of the source is copied. */
    public boolean isAll() {
        return rules.isEmpty() && filesFrom.isEmpty();
    }

    /** Whether patterns or paths come from files. */
    public boolean readsFiles() {
        return !filesFrom.isEmpty() || rules.stream().anyMatch(rule -> rule.kind == Kind.EXCLUDE_FROM);
    }

    /** Writes it, for {@link #read}. */
    public void write(DataOutputStream out) throws IOException {
        Fields.writeAll(out, rules, (to, rule) -> {
            to.writeUTF(rule.kind.name());
            to.writeUTF(rule.text);
        });
        out.writeUTF(filesFrom);
        out.writeBoolean(deletes);
    }

    /** What {@link #write} wrote. */
    public static Selection read(DataInputStream in) throws IOException {
        return new Selection(
                Fields.readAll(in, from -> new RuleText(Kind.valueOf(from.readUTF()), from.readUTF())),
                in.readUTF(),
                in.readBoolean());
    }
}
