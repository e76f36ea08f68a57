// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.ContextAccess;
import dev.loupe.Loupe;
import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import dev.loupe.jfr.Contextual;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Commits events in and out of contexts, where the policy wants those in contexts only. The journal
 * has of each whether a context applies to it at its commit time: the program knows.
 *
 * With {@code wait} it prints a line and goes on when it reads one, with {@code virtual} it runs
 * the cases on a virtual thread, too, and with {@code off} tasks carry no contexts.
 *
 * <pre>OutsideE2E JOURNAL [wait] [virtual] [off]</pre>
 */
@SuppressWarnings("try")
public final class OutsideE2E {
    private static final int ROUNDS = 50;
    private static final int OUTSIDE = 20; // events of a round between contexts
    private static final int LIMIT_S = 60;
    private static final RecordingContextKey KEY = RecordingContextKey.forName("endpoint");

    /** A context by ContextAccess. */
    @Name("e2e.Visit")
    record Visit(@Name("path") String path) {}

    /** With a duration; the fields of Base are in a superclass. */
    abstract static class Base extends Event { long seq; }

    @Name("e2e.Mark")
    static class Mark extends Base {}

    /** Its superclass is an event type, too. */
    @Name("e2e.Other")
    @StackTrace(false)
    static final class Other extends Mark {}

    /** Of a type that the policy wants all of. */
    @Name("e2e.All")
    static final class All extends Base {}

    /** Uses an event type that is not loaded before. */
    static final class Late {
        private Late() {}

        /** A context that is an event. */
        @Name("e2e.LateTrace")
        static final class LateTrace extends Event {
            @Contextual long id;
        }

        static void run(Runnable inside) {
            LateTrace trace = new LateTrace();
            trace.begin();
            inside.run();
            trace.commit();
        }
    }

    private final Journal journal = new Journal();
    private final Marks.Order order = new Marks.Order();
    private final ContextAccess<Visit> access = ContextAccess.forType(Visit.class);
    private final boolean areTasksIn;
    private long seq;

    private OutsideE2E(boolean areTasksIn) {
        this.areTasksIn = areTasksIn;
    }

    public static void main(String[] args) throws Exception {
        Loupe.registerContext(Marks.Order.class);
        List<String> options = List.of(args);
        if (options.contains("wait")) {
            new Mark().commit(); // before the agent comes: JFR has not begun
            System.out.println("ready");
            System.in.read();
        }
        OutsideE2E test = new OutsideE2E(!options.contains("off"));
        test.warmUp();
        test.rounds();
        if (options.contains("virtual")) {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            ((Thread) start.invoke(null, (Runnable) test::rounds)).join();
        }
        test.beside(Path.of(args[0] + ".jfr"));
        test.otherPolicy();
        test.inEvents();
        Journal.write(Path.of(args[0]), List.of(test.journal));
    }

    // Commits events of all types until the JVM withholds those that are outside.
    private void warmUp() throws Exception {
        commit(new Other(), false);
        commit(new All(), true);
        waitUntilWithheld();
    }

    private void waitUntilWithheld() throws Exception {
        Class<?> outside = Class.forName("dev.loupe.internal.outside.Outside");
        waitFor(() -> {
            commit(new Mark(), false);
            return isTrue(outside, "isOn", null) && isWanted(outside, Mark.class)
                    && isWanted(outside, Other.class);
        });
    }

    private static void waitFor(Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + LIMIT_S * 1_000_000_000L;
        while (!condition.call()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("what is withheld does not change");
            }
            Thread.sleep(20);
        }
    }

    private static boolean isWanted(Class<?> outside, Class<?> event) throws Exception {
        Object type = outside.getMethod("of", Class.class).invoke(null, event);
        return isTrue(type.getClass(), "isWanted", type);
    }

    private static boolean isTrue(Class<?> type, String name, Object object) throws Exception {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field.getBoolean(object);
    }

    private Base numbered(Base event, boolean isInside) {
        event.seq = ++seq;
        journal.add(event.seq, event.getClass().getAnnotation(Name.class).value(), isInside);
        return event;
    }

    private void commit(Base event, boolean isInside) {
        numbered(event, isInside).commit();
    }

    private void rounds() {
        try {
            for (int i = 0; i < ROUNDS; i++) {
                round();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void round() throws Exception {
        for (int i = 0; i < OUTSIDE; i++) {
            commit(i % 2 == 0 ? new Mark() : new Other(), false);
            Base event = numbered(new Mark(), false);
            event.begin();
            event.commit();
        }
        commit(new All(), true);
        inContexts();
        across();
        handedOver();
    }

    private void inContexts() {
        try (RecordingContext c = RecordingContext.where(KEY, "/pay").build()) {
            commit(new Mark(), true);
            commit(new Other(), true);
            try (RecordingContext inner = RecordingContext.where(KEY, "/inner").build()) {
                commit(new Mark(), true);
            }
            commit(new Mark(), true);
        }
        order.set();
        commit(new Mark(), true);
        order.unset();
        commit(new Mark(), false);
        access.set(new Visit("/visit"));
        order.set();
        order.unset();
        commit(new Mark(), true); // in one of two
        access.unset();
        commit(new Other(), false);
    }

    // The commit time counts: the end of the event, or its commit where that is its end.
    private void across() {
        Base before = new Mark();
        Base ended = new Mark();
        Base over = new Mark();
        Base outside = numbered(new Mark(), false);
        before.begin();
        over.begin();
        outside.begin();
        outside.end();
        order.set();
        numbered(before, true).commit();
        Base inside = new Mark();
        inside.begin();
        ended.begin();
        ended.end();
        over.end();
        outside.commit(); // it ended before
        order.unset();
        numbered(inside, false).commit(); // it ends here
        numbered(ended, true).commit(); // it ended in the context
        numbered(over, true).commit();
        commit(new Mark(), false);
    }

    private void handedOver() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try (RecordingContext c = RecordingContext.where(KEY, "/task").build()) {
            pool.submit(() -> commit(new Mark(), areTasksIn)).get();
            order.set();
            Base begun = numbered(new Mark(), areTasksIn);
            begun.begin();
            pool.submit(begun::commit).get();
            order.unset();
        }
        pool.submit(() -> commit(new Mark(), false)).get();
        pool.shutdown();
    }

    // Another recording gets all events, from when it was started.
    private void beside(Path path) throws Exception {
        try (Recording other = new Recording()) {
            other.enable(Mark.class).withoutThreshold();
            other.start();
            long first = seq + 1;
            for (int i = 0; i < OUTSIDE; i++) {
                commit(new Mark(), false);
            }
            other.stop();
            other.dump(path);
            check(path, first);
        }
        Files.delete(path);
        waitUntilWithheld();
        commit(new Mark(), false);
    }

    private void check(Path path, long first) throws IOException {
        long found = 0;
        for (RecordedEvent event : RecordingFile.readAllEvents(path)) {
            found += event.getEventType().getName().equals("e2e.Mark")
                            && event.getLong("seq") >= first
                    ? 1
                    : 0;
        }
        if (found != OUTSIDE) {
            throw new AssertionError(found + " of " + OUTSIDE + " are in another recording");
        }
    }

    // The policy changes, and wants all events of a type.
    private void otherPolicy() throws Exception {
        System.out.println("change");
        Class<?> outside = Class.forName("dev.loupe.internal.outside.Outside");
        waitFor(() -> !isWanted(outside, Mark.class) && isTrue(outside, "isOn", null));
        for (int i = 0; i < OUTSIDE; i++) {
            commit(new Mark(), true);
            commit(new Other(), false);
        }
    }

    // From the first event on nothing is withheld, as a context may be open that JFR alone knows.
    private void inEvents() {
        for (int i = 0; i < OUTSIDE; i++) {
            Late.run(() -> commit(new Other(), true));
            commit(new Other(), false);
        }
    }
}
