// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextFilter;
import dev.loupe.RecordingContextFilter.Config;
import dev.loupe.RecordingContextKey;
import dev.loupe.internal.Agent;
import java.util.Arrays;
import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Name;

/**
 * What a filter's builder makes of what is said, and what it refuses; without an agent, when a
 * filter is stored and given back.
 */
public final class FilterTest {
    private static final RecordingContextKey A = RecordingContextKey.forName("a");
    private static final RecordingContextKey B = RecordingContextKey.forName("b \"\\");

    private FilterTest() {}

    @Name("test.First")
    static class First extends Event {}

    @Name("test.Second")
    static class Second extends Event {}

    public static void main(String[] args) {
        expect(Agent.filter == null, "there is a filter before one was set");
        terms();
        types();
        reuse();
        refusals();
        stored();
        System.out.println("fine");
    }

    private static EventType first() {
        return EventType.getEventType(First.class);
    }

    private static EventType second() {
        return EventType.getEventType(Second.class);
    }

    private static void terms() {
        expectRules(Config.createFilter());
        expectRules(Config.createFilter().forAllTypes(t -> {}), "", "");
        expectRules(Config.createFilter().forAllTypes(t -> t.hasContext().hasKey(A).hasKey(B)), "",
                "has-context and has-key \"a\" and has-key \"b \\\"\\\\\"");
        expectRules(Config.createFilter().forAllTypes(t -> t.hasNoContext()), "", "has-no-context");
        expectRules(Config.createFilter().forAllTypes(
                            t -> t.hasEntry(A, "").hasEntry(A, null).hasEntry(B, "x and \"y\"")),
                "",
                "has-entry \"a\"=\"\" and has-null \"a\" and "
                        + "has-entry \"b \\\"\\\\\"=\"x and \\\"y\\\"\"");
        // A rule that is given twice holds once.
        expectRules(Config.createFilter().forAllTypes(
                            t -> t.hasContext().hasKey(A).hasContext().hasKey(A)),
                "", "has-context and has-key \"a\"");
        expectRules(Config.createFilter().forAllTypes(t -> t.hasContext().reset().hasKey(A)), "",
                "has-key \"a\"");
    }

    private static void types() {
        expectRules(Config.createFilter()
                            .forType(first(), t -> t.hasKey(A))
                            .forAllTypes(t -> t.hasContext())
                            .forType(first(), t -> t.hasNoContext())
                            .forType(second(), t -> t.reset()),
                "test.First", "has-key \"a\" and has-no-context", "", "has-context", "test.Second",
                "");
        expectRules(Config.createFilter()
                            .forType(first(), t -> t.hasKey(A))
                            .forType(first(), t -> t.reset().hasContext()),
                "test.First", "has-context");
    }

    private static void reuse() {
        RecordingContextFilter.Builder builder =
                Config.createFilter().forAllTypes(t -> t.hasContext());
        RecordingContextFilter before = builder.build();
        builder.forAllTypes(t -> t.hasKey(A));
        Config.setContextFilter(before);
        expectRules("", "has-context");
        expectRules(builder, "", "has-context and has-key \"a\"");
    }

    private static void refusals() {
        expectRefused(NullPointerException.class, () -> Config.createFilter().forAllTypes(null));
        expectRefused(NullPointerException.class,
                () -> Config.createFilter().forType(null, t -> t.hasContext()));
        expectRefused(NullPointerException.class,
                () -> Config.createFilter().forAllTypes(t -> t.hasKey(null)));
        expectRefused(NullPointerException.class,
                () -> Config.createFilter().forAllTypes(t -> t.hasEntry(null, "x")));
        expectRefused(IllegalArgumentException.class,
                () -> Config.createFilter().forAllTypes(t -> t.hasEntry(A, "x\0")));
        RecordingContextFilter.Builder builder = Config.createFilter();
        for (int i = 0; i < 16; i++) {
            String value = Integer.toString(i);
            builder.forAllTypes(t -> t.hasEntry(A, value));
        }
        Config.setContextFilter(builder.build());
        String[] full = Agent.filter;
        expectRefused(IllegalArgumentException.class, () -> builder.forAllTypes(t -> t.hasKey(A)));
        expectRefused(NullPointerException.class, () -> builder.forType(first(), null));
        expectRules(builder, full); // what was refused leaves nothing behind
        builder.forAllTypes(t -> t.hasEntry(A, "0")); // it is there
        expectRules(builder, full);
        builder.forAllTypes(t -> t.reset().hasKey(A));
        expectRules(builder, "", "has-key \"a\"");
    }

    private static void stored() {
        RecordingContextFilter filter =
                Config.createFilter().forAllTypes(t -> t.hasNoContext()).build();
        Config.setContextFilter(filter);
        expect(Config.contextFilter() == filter, "another filter is given back");
        RecordingContext context = RecordingContext.where(A, "x").build();
        expect(!A.isBound(), "something is installed");
        context.close();
        Config.setContextFilter(null);
        expect(Config.contextFilter() == null, "a filter is given back");
        expectRules();
    }

    private static void expectRules(RecordingContextFilter.Builder builder, String... rules) {
        Config.setContextFilter(builder.build());
        expectRules(rules);
    }

    private static void expectRules(String... rules) {
        List<String> found = Arrays.asList(Agent.filter);
        expect(found.equals(Arrays.asList(rules)), found + " are not " + Arrays.toString(rules));
    }

    private static void expectRefused(Class<? extends Exception> kind, Runnable what) {
        try {
            what.run();
        } catch (RuntimeException e) {
            expect(kind.isInstance(e), "not " + kind + " but " + e);
            return;
        }
        throw new AssertionError("no " + kind);
    }

    private static void expect(boolean isTrue, String otherwise) {
        if (!isTrue) {
            throw new AssertionError(otherwise);
        }
    }
}
