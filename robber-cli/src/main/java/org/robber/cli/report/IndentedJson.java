package org.robber.cli.report;

import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** Makes JSON that people can read, without the classes that bind objects. */
public final class IndentedJson extends ObjectWriteContext.Base {

    @Override
    public PrettyPrinter getPrettyPrinter() {
        return new DefaultPrettyPrinter();
    }
}
