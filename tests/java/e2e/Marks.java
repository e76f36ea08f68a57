// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.AllFields;
import dev.loupe.ContextType;
import dev.loupe.jfr.Contextual;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The events and context types of the test programs. */
final class Marks {
    private Marks() {}

    /** A plain event with a number of its own and a stack trace. */
    @Name("e2e.Mark")
    @Label("Mark")
    @Description("A numbered event")
    static class Mark extends Event {
        @Label("Sequence") long seq;
        @Label("Text") String text;
        @Timespan(Timespan.MILLISECONDS) long span;
        Class<?> type;
        Thread other;
    }

    /** A plain event without a stack trace, for programs that make many. */
    @Name("e2e.Tick")
    @StackTrace(false)
    static class Tick extends Event {
        long seq;
    }

    /** An event that is a context itself. */
    @Name("e2e.Trace")
    @Label("Trace")
    @StackTrace(false)
    static class Trace extends Event {
        @Contextual @Name("traceId") long id;
        @Contextual String user;
        int plain;
    }

    // A program registers Order and Span, or Kinds and Span; together they have every kind, and
    // eight attributes.

    @Name("e2e-order")
    @Label("Order")
    @Description("An order, and who made it")
    @AllFields
    public static class Order extends ContextType {
        @Name("id") public long number;
        @Description("Free text") public String text;
        public double amount;
        @Name("priority") public byte prio;
    }

    @Name("e2e.Span")
    @AllFields
    public static class Span extends ContextType {
        public int id;
        public boolean root;
        public char grade;
        public CharSequence name;
    }

    @Name("e2e-kinds")
    @AllFields
    public static class Kinds extends ContextType {
        public long id;
        public short small;
        public float ratio;
        public String text;
    }

    /** With those of Most all attributes that are left when others have eight. */
    @Name("e2e-rest")
    @AllFields
    public static class Rest extends ContextType {
        public int a, b, c, d, e, f, g, h;
    }

    /** As many attributes as a type can have. */
    @Name("e2e-most")
    @AllFields
    public static class Most extends ContextType {
        public int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
    }

    /** One attribute too many. */
    @Name("e2e-over")
    @AllFields
    public static class Over extends ContextType {
        public int id;
    }
}
