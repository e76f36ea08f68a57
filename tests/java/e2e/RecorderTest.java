// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.ContextAccess;
import dev.loupe.ContextType;
import dev.loupe.Loupe;
import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextFiber;
import dev.loupe.RecordingContextKey;
import dev.loupe.testing.ContextRecorder;
import dev.loupe.testing.RecordedContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.Name;

/**
 * An application's unit tests with a ContextRecorder: that it returns the contexts that were set.
 *
 * <pre>RecorderTest (alone | agent)</pre>
 */
public final class RecorderTest {
    private static final int THREADS = 4;
    private static final int VIRTUAL_THREADS = 500;
    private static final int CONTEXTS = 50;
    private static final int RECORDERS = 3000;

    // Made before there is a recorder, as applications do.
    private static final ContextAccess<AccessTypes.Texts> TEXTS =
            ContextAccess.forType(AccessTypes.Texts.class);
    private static final ContextAccess<AccessTypes.Methods> METHODS =
            ContextAccess.forType(AccessTypes.Methods.class);
    private static final Marks.Order ORDER = new Marks.Order();

    private RecorderTest() {}

    public static void main(String[] args) throws Exception {
        if (args[0].equals("agent")) {
            expectRefused("agent");
            return;
        }
        expectNothing();
        values();
        unnamed();
        order();
        recordings();
        none();
        fibers();
        oneAtATime();
        parallel(Thread::new, THREADS);
        if (VirtualThreads.areThere()) {
            parallel(VirtualThreads.factory(), VIRTUAL_THREADS);
        }
        whileOthersWork();
        expectNothing();
    }

    private static void expect(Object expected, Object found) {
        if (!Objects.equals(expected, found)) {
            throw new AssertionError(found + ", not " + expected);
        }
    }

    private static void expectNothing() {
        expect(false, ORDER.isActive());
        expect(false, Loupe.registerContext(Marks.Order.class));
        setOrder(1);
        ORDER.unset();
    }

    private static void setOrder(long number) {
        ORDER.number = number;
        ORDER.text = "text " + number;
        ORDER.amount = number / 4.0;
        ORDER.prio = (byte) number;
        ORDER.set();
    }

    private static RecordedContext order(long number) {
        return RecordedContext.of("e2e-order", "id", number, "text", "text " + number, "amount",
                number / 4.0, "priority", (byte) number);
    }

    private static void values() {
        try (ContextRecorder recorder = ContextRecorder.start()) {
            expect(true, Loupe.registerContext(Marks.Order.class));
            expect(true, ORDER.isActive());
            setOrder(7);
            ORDER.number = 8; // not what was set
            Marks.Span span = new Marks.Span();
            span.set();
            span.name = new StringBuilder("built");
            span.id = 5;
            span.root = true;
            span.grade = 'x';
            span.set();
            TEXTS.set(new AccessTypes.Texts(1, null, new StringBuilder("chars"), "given"));
            METHODS.set(new AccessTypes.Methods(9, -1));
            expect(List.of(order(7),
                           RecordedContext.of(
                                   "e2e.Span", "id", 0, "root", false, "grade", '\0', "name", null),
                           RecordedContext.of("e2e.Span", "id", 5, "root", true, "grade", 'x',
                                   "name", "built"),
                           RecordedContext.of("e2e.Texts", "id", 1L, "text", null, "chars", "chars",
                                   "name", "given", "thrown", null, "thrown-number", 0),
                           RecordedContext.of("e2e.Methods", "id", 9L, "flag", true, "byte",
                                   (byte) -1, "short", (short) -1, "char", '\u7fff', "int", -1,
                                   "float", -1 / 7.0f, "double", 3.0)),
                    recorder.contexts());
            RecordedContext first = recorder.contexts().get(0);
            expect(List.of("id", "text", "amount", "priority"),
                    List.copyOf(first.attributes().keySet()));
            expect(7L, first.value("id"));
            try {
                first.value("none");
                throw new AssertionError("there is an attribute 'none'");
            } catch (IllegalArgumentException e) {
                expect(true, e.getMessage().contains("none"));
            }
            span.unset();
            ORDER.unset();
            TEXTS.set(null);
            METHODS.unset();
        }
    }

    /** Has no attribute, as the agent would find, too. */
    @Name("e2e.Unnamed")
    private static final class Unnamed extends ContextType {
        int number;
    }

    private static void unnamed() {
        ContextRecorder recorder = ContextRecorder.start();
        try {
            Loupe.registerContext(Unnamed.class);
            throw new AssertionError("it was registered");
        } catch (IllegalArgumentException e) {
            expect(true, e.getMessage().contains("fields without @Name: number."));
        }
        recorder.close();
    }

    private static void order() {
        ContextRecorder recorder = ContextRecorder.start();
        setOrder(1);
        Marks.Span span = new Marks.Span();
        span.set();
        setOrder(2); // ends the first
        span.unset();
        span.unset();
        TEXTS.set(new AccessTypes.Texts(1, null, null, null));
        TEXTS.set(null);
        List<RecordedContext> then = recorder.contexts();
        recorder.close();
        recorder.close();
        setOrder(3);
        ORDER.unset();
        List<RecordedContext> after = recorder.contexts();
        expect(then, after);
        List<String> times = new ArrayList<>();
        for (RecordedContext context : after) {
            times.add(context.begin() + "-" + (context.isOpen() ? "open" : context.end()));
            expect(Thread.currentThread(), context.thread());
        }
        expect(List.of("1-3", "2-5", "4-open", "6-7"), times);
        List<List<RecordedContext>> enclosing =
                after.stream().map(RecordedContext::enclosing).toList();
        expect(List.of(List.of(), List.of(after.get(0)), List.of(after.get(1)),
                       List.of(after.get(2))),
                enclosing);
    }

    private static RecordedContext recording(Object... entries) {
        return RecordedContext.of("loupe.RecordingContext", entries);
    }

    // In order, uncovered again, as a snapshot, and closed out of order.
    private static void recordings() {
        RecordingContextKey a = RecordingContextKey.forName("a");
        RecordingContextKey b = RecordingContextKey.forName("b.c");
        RecordingContext.where(a, "before").build().close();
        try (ContextRecorder recorder = ContextRecorder.start()) {
            RecordingContext outer = RecordingContext.where(a, "1").build();
            RecordingContext inner = RecordingContext.where(b, null).build();
            RecordingContext.Snapshot snapshot = RecordingContext.snapshot();
            expect(true, b.isBound());
            inner.close();
            expect(false, b.isBound());
            RecordingContext.Activation activation = snapshot.activate();
            outer.close();
            activation.close();
            expect(false, a.isBound());
            RecordedContext one = recording("a", "1");
            RecordedContext two = recording("a", "1", "b.c", null);
            expect(List.of(one, two, one, two), recorder.contexts());
            expect(false, recorder.contexts().get(3).isOpen());
        }
        expect(false, a.isBound());
    }

    // A job that a thread does in between belongs to nothing of what it does otherwise.
    @SuppressWarnings("try")
    private static void none() {
        RecordingContextKey a = RecordingContextKey.forName("a");
        RecordingContextKey b = RecordingContextKey.forName("b.c");
        try (ContextRecorder recorder = ContextRecorder.start();
                RecordingContext outer = RecordingContext.where(a, "1").build()) {
            try (RecordingContext.Activation none = RecordingContext.Snapshot.none().activate()) {
                expect(false, a.isBound());
                try (RecordingContext job = RecordingContext.where(b, "2").build()) {
                    expect(false, a.isBound());
                }
                expect(false, b.isBound());
            }
            expect(true, a.isBound());
            RecordedContext one = recording("a", "1");
            expect(List.of(one, recording("b.c", "2"), one), recorder.contexts());
        }
    }

    // Contexts of a fiber are seen on the threads to which it comes, until they leave those.
    private static void fibers() throws Exception {
        RecordingContextKey a = RecordingContextKey.forName("a");
        RecordingContextKey b = RecordingContextKey.forName("b.c");
        try (ContextRecorder recorder = ContextRecorder.start()) {
            RecordingContext.Snapshot first = RecordingContext.where(a, "1").snapshot();
            expect(true, first.hasContext());
            expect(false, a.isBound());
            RecordingContextFiber fiber = RecordingContextFiber.of(first);
            RecordingContextFiber.Mount mount = fiber.mount();
            RecordingContext inner = RecordingContext.where(b, "2").build();
            Thread next = new Thread(() -> {
                RecordingContextFiber.Mount there = fiber.mount();
                expect(true, b.isBound());
                inner.close();
                expect(false, b.isBound());
                there.close();
                expect(false, a.isBound());
            });
            next.start();
            next.join();
            mount.close(); // late
            mount.close();
            expect(false, a.isBound());
            first.setCurrent();
            expect(true, a.isBound());
            RecordingContext.Snapshot.none().setCurrent();
            expect(false, a.isBound());
            RecordedContext one = recording("a", "1");
            RecordedContext two = recording("a", "1", "b.c", "2");
            expect(List.of(one, two, two, one, one), recorder.contexts());
            expect(false, recorder.contexts().stream().anyMatch(RecordedContext::isOpen));
        }
        expect(false, RecordingContext.where(a, "1").snapshot().hasContext());
        RecordingContextFiber.of(RecordingContext.Snapshot.none()).mount().close();
    }

    private static void oneAtATime() {
        try (ContextRecorder recorder = ContextRecorder.start()) {
            expectRefused("another");
            expect(List.of(), recorder.contexts());
        }
    }

    private static void expectRefused(String word) {
        try {
            ContextRecorder.start().close();
        } catch (IllegalStateException e) {
            expect(true, e.getMessage().contains(word));
            return;
        }
        throw new AssertionError("a recorder starts");
    }

    // Each thread sees its own nesting, and what it leaves open ends with it.
    private static void parallel(ThreadFactory factory, int count) throws Exception {
        try (ContextRecorder recorder = ContextRecorder.start()) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                long number = i;
                Thread thread = factory.newThread(() -> {
                    Marks.Order order = new Marks.Order();
                    Marks.Span span = new Marks.Span();
                    for (int n = 0; n < CONTEXTS; n++) {
                        order.number = number;
                        order.set();
                        span.id = n;
                        span.set();
                        if (n < CONTEXTS - 1) {
                            span.unset();
                        }
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            Map<Thread, Integer> spans = new HashMap<>();
            for (RecordedContext context : recorder.contexts()) {
                long number = threads.indexOf(context.thread());
                if (context.typeName().equals("e2e.Span")) {
                    int n = spans.merge(context.thread(), 1, Integer::sum) - 1;
                    expect(n, context.value("id"));
                    expect(number, context.enclosing().get(0).value("id"));
                    expect(n < CONTEXTS - 1, context.end() != Long.MAX_VALUE);
                } else {
                    expect(number, context.value("id"));
                }
                expect(false, context.isOpen());
            }
            expect(2 * count * CONTEXTS, recorder.contexts().size());
        }
    }

    // A thread may be on its way to a recorder that is closed meanwhile.
    private static void whileOthersWork() throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CountDownLatch isOver = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            try {
                while (isOver.getCount() > 0) {
                    setOrder(1);
                    ORDER.isActive();
                    Loupe.registerContext(Marks.Span.class);
                    ContextAccess.forType(AccessTypes.Over.class).set(new AccessTypes.Over(1));
                    ORDER.unset();
                }
            } catch (Throwable e) {
                failure.set(e);
            }
        });
        thread.start();
        int seen = 0;
        for (int i = 0; i < RECORDERS; i++) {
            try (ContextRecorder recorder = ContextRecorder.start()) {
                if (i % 100 == 0) {
                    while (recorder.contexts().isEmpty() && thread.isAlive()) {
                        Thread.onSpinWait();
                    }
                }
                seen += recorder.contexts().size();
            }
        }
        isOver.countDown();
        thread.join();
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
        expect(true, seen > 0);
    }
}
