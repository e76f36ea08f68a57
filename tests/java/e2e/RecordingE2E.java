// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextFiber;
import dev.loupe.RecordingContextKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Threads of both kinds install RecordingContexts, nested, by snapshots, on several threads at
 * once, by fibers that go from thread to thread, and set them as current; they close them in order,
 * twice, out of order and on other threads. They keep a model of
 * what must be installed and compare what is bound with it. The program prints how often they have
 * closed something out of order or on another thread.
 */
public final class RecordingE2E extends JournaledRun {
    private static final String TYPE = "loupe.RecordingContext";
    // The name of each key, and that of the field it becomes.
    private static final Map<String, String> FIELDS = new LinkedHashMap<>();

    static {
        FIELDS.put("id", "id");
        FIELDS.put("endpoint", "endpoint");
        FIELDS.put("user.name", "user_name");
        FIELDS.put("class", "class_");
        FIELDS.put("gr\u00f6\u00dfe", "gr__e");
        FIELDS.put("7 days", "_7_days");
        FIELDS.put("duration", null); // JFR has a field of that name: a number makes it another
    }

    // Some are longer than a value may be.
    private static final String[] VALUES =
            Stream.concat(Stream.of(TEXTS),
                          Stream.of("y".repeat(1024), "z".repeat(1025),
                                  "a"
                                          + "\u00fc".repeat(700),
                                  "\ud83d\ude00".repeat(300)))
                    .toArray(String[] ::new);
    private static final int STEPS = 60;
    private static final int VIRTUAL_STEPS = 12;

    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger misclosed = new AtomicInteger();

    private RecordingE2E(String[] args) {
        super(args);
    }

    public static void main(String[] args) throws Exception {
        RecordingE2E test = new RecordingE2E(args);
        test.record();
        System.out.println("misclosed " + test.misclosed.get());
    }

    @Override
    Worker worker(int seed, boolean isPatient, ThreadFactory factory) {
        return new Actor(seed, factory == null ? STEPS : VIRTUAL_STEPS, isPatient, factory);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    // As many code points as fit into 1,024 bytes of UTF-8.
    private static String cut(String value) {
        if (value == null) {
            return null;
        }
        int end = 0;
        int bytes = 0;
        while (end < value.length()) {
            int next = value.offsetByCodePoints(end, 1);
            bytes += value.substring(end, next).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > 1024) {
                break;
            }
            end = next;
        }
        return value.substring(0, end);
    }

    /** One of the threads. */
    private class Actor extends Worker {
        private final int steps;
        private final boolean isPatient;
        // What must be installed, the current one on top; null for no context. A map is the context
        // itself: the same one again is no other.
        List<Map<String, String>> model = new ArrayList<>();
        private final List<List<Map<String, String>>> models = new ArrayList<>(); // of who waits

        Actor(int seed, int steps, boolean isPatient, ThreadFactory factory) {
            super(seed, factory);
            this.steps = steps;
            this.isPatient = isPatient;
        }

        @Override
        final void work() {
            expectBound();
            act();
            if (random.nextBoolean()) {
                open(); // the end of the thread ends it
                mark();
            }
        }

        void act() {
            if (isPatient) {
                beSlow();
            } else {
                repeat(steps, () -> act(0));
            }
        }

        // One context with an event at both ends, and in it one without any, over all chunks.
        private void beSlow() {
            RecordingContext outer = open();
            mark();
            RecordingContext inner = open();
            awaitEnd();
            close(inner);
            mark();
            close(outer);
        }

        private void act(int depth) {
            switch (depth > 3 ? 0 : random.nextInt(12)) {
                case 0:
                case 1:
                    mark();
                    break;
                case 2:
                case 3:
                    nested(depth);
                    break;
                case 4:
                    again(depth);
                    break;
                case 5:
                    elsewhere();
                    break;
                case 6:
                    closeTwice();
                    break;
                case 7:
                    closeOutOfOrder();
                    break;
                case 8:
                    closeElsewhere();
                    break;
                case 9:
                    fiber();
                    break;
                case 10:
                    current(depth);
                    break;
                default: // around nothing: must not be in the result
                    close(open());
            }
            expectBound();
        }

        private void nested(int depth) {
            RecordingContext context = open();
            for (int i = random.nextInt(4); i > 0; i--) {
                act(depth + 1);
            }
            close(context);
        }

        // A snapshot on the thread that it is of, with another context between, or without any.
        private void again(int depth) {
            Map<String, String> map = top();
            RecordingContext.Snapshot snapshot = RecordingContext.snapshot();
            RecordingContext between = random.nextBoolean() ? open() : null;
            RecordingContext.Activation activation = activate(snapshot, map);
            act(depth + 1);
            close(activation);
            if (between != null) {
                mark();
                close(between);
            }
        }

        // Snapshots on several threads at once, which may outlive what they were made of.
        private void elsewhere() {
            RecordingContext context = random.nextInt(4) > 0 ? open() : null;
            Map<String, String> map = top();
            RecordingContext.Snapshot snapshot = RecordingContext.snapshot();
            List<Thread> threads = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                threads.add(start(new Guest(random.nextInt(), factory, snapshot, map), factory));
            }
            if (random.nextBoolean()) {
                mark();
            }
            if (context != null) {
                close(context);
            }
            threads.forEach(RecordingE2E::join);
        }

        private void closeTwice() {
            RecordingContext context = open();
            Map<String, String> map = top();
            RecordingContext.Snapshot snapshot = RecordingContext.snapshot();
            RecordingContext inner = open();
            close(inner);
            inner.close();
            mark();
            close(context);
            RecordingContext.Activation activation = activate(snapshot, map);
            mark();
            context.close();
            inner.close();
            expectBound();
            mark();
            close(activation);
            activation.close();
        }

        private void closeOutOfOrder() {
            RecordingContext outer = open();
            RecordingContext inner = open();
            mark();
            misclosed.incrementAndGet();
            outer.close();
            model.remove(model.size() - 2); // the inner one is installed as before
            expectBound();
            mark();
            close(inner);
            mark();
        }

        // The thread itself notices with the next call.
        private void closeElsewhere() {
            RecordingContext context = open();
            mark();
            Map<String, String> before = top();
            long from = Ticks.between();
            join(start(context::close, factory));
            misclosed.incrementAndGet();
            model.remove(model.size() - 1);
            expectBound();
            note(before, from);
            mark();
            context.close();
        }

        // Contexts that go with a fiber to other threads and back, and are closed anywhere.
        private void fiber() {
            Fiber fiber = random.nextInt(3) > 0 ? new Fiber(RecordingContext.snapshot(), top())
                                                : new Fiber(RecordingContext.Snapshot.none(), null);
            mounted(fiber);
            for (int i = random.nextInt(3); i > 0; i--) {
                join(start(new Carrier(random.nextInt(), factory, fiber), factory));
                mark();
            }
            if (random.nextBoolean()) {
                leaveLate(fiber);
            }
            mounted(fiber);
        }

        // The fiber is on another thread before it is off this one.
        private void leaveLate(Fiber fiber) {
            RecordingContextFiber.Mount mount = mount(fiber);
            fiber.open.add(open());
            mark();
            Map<String, String> shown = top();
            join(start(new Carrier(random.nextInt(), factory, fiber), factory));
            model = models.remove(models.size() - 1);
            long from = Ticks.between();
            mount.close();
            note(shown, from);
            mark();
            expectBound();
        }

        void mounted(Fiber fiber) {
            RecordingContextFiber.Mount mount = mount(fiber);
            for (int i = random.nextInt(4); i >= 0; i--) {
                if (fiber.open.isEmpty() || random.nextBoolean()) {
                    fiber.open.add(open());
                } else {
                    close(fiber.open.remove(fiber.open.size() - 1));
                }
                mark();
                expectBound();
            }
            if (random.nextBoolean()) { // one in the other
                mounted(new Fiber(RecordingContext.snapshot(), top()));
            }
            close(mount);
            expectBound();
        }

        // As values of a thread: without an end, but the one before is set again.
        private void current(int depth) {
            Map<String, String> before = top();
            RecordingContext.Snapshot back = RecordingContext.snapshot();
            RecordingContext other = open();
            Map<String, String> map = top();
            RecordingContext.Snapshot snapshot = RecordingContext.snapshot();
            close(other);
            boolean isOn = setCurrent(snapshot, map, false);
            act(depth + 1);
            if (random.nextBoolean()) {
                isOn = setCurrent(RecordingContext.Snapshot.none(), null, isOn);
                mark();
            }
            setCurrent(back, before, isOn);
            mark();
        }

        // --- The calls, with their effect on the model

        private Map<String, String> top() {
            return model.isEmpty() ? null : model.get(model.size() - 1);
        }

        RecordingContext open() {
            Map<String, String> before = top();
            Map<String, String> map =
                    new LinkedHashMap<>(before == null ? Collections.emptyMap() : before);
            String id = Integer.toString(contextIds.incrementAndGet());
            map.put("id", id);
            RecordingContext.Builder builder =
                    RecordingContext.where(RecordingContextKey.forName("id"), id);
            String[] names = FIELDS.keySet().toArray(new String[0]);
            for (int i = random.nextInt(4); i > 0; i--) {
                String name = names[1 + random.nextInt(names.length - 1)];
                String value = VALUES[random.nextInt(VALUES.length)];
                map.put(name, value);
                builder.where(RecordingContextKey.forName(name), value);
            }
            model.add(map);
            long from = Ticks.between();
            RecordingContext context = builder.build();
            note(before, from);
            return context;
        }

        void close(RecordingContext context) {
            Map<String, String> before = top();
            model.remove(model.size() - 1);
            long from = Ticks.between();
            context.close();
            note(before, from);
        }

        RecordingContext.Activation activate(
                RecordingContext.Snapshot snapshot, Map<String, String> map) {
            Map<String, String> before = top();
            model.add(map);
            long from = Ticks.between();
            RecordingContext.Activation activation = snapshot.activate();
            note(before, from);
            return activation;
        }

        // Returns whether it is on top of what was there. isOn: so is the one that was set before.
        boolean setCurrent(
                RecordingContext.Snapshot snapshot, Map<String, String> map, boolean isOn) {
            Map<String, String> before = top();
            if (isOn) {
                model.remove(model.size() - 1);
            }
            boolean isOther = top() != map;
            if (isOther) {
                model.add(map);
            }
            long from = Ticks.between();
            snapshot.setCurrent();
            note(before, from);
            return isOther;
        }

        RecordingContextFiber.Mount mount(Fiber fiber) {
            Map<String, String> before = top();
            models.add(model);
            model = fiber.model;
            long from = Ticks.between();
            RecordingContextFiber.Mount mount = fiber.fiber.mount();
            note(before, from);
            return mount;
        }

        void close(RecordingContextFiber.Mount mount) {
            Map<String, String> before = top();
            model = models.remove(models.size() - 1);
            long from = Ticks.between();
            mount.close();
            note(before, from);
        }

        void close(RecordingContext.Activation activation) {
            Map<String, String> before = top();
            model.remove(model.size() - 1);
            long from = Ticks.between();
            activation.close();
            note(before, from);
        }

        // SET thread type begin-from begin-to number attribute=value...
        void note(Map<String, String> before, long from) {
            Map<String, String> now = top();
            if (now == before) {
                return;
            }
            if (now == null) {
                journal.add("UNSET", threadId, TYPE, from, Ticks.between());
                return;
            }
            List<Object> line = new ArrayList<>(List.of(
                    "SET", threadId, TYPE, from, Ticks.between(), numbers.incrementAndGet()));
            now.forEach((key, value) -> {
                if (FIELDS.get(key) != null) {
                    line.add(FIELDS.get(key));
                    line.add(cut(value));
                }
            });
            journal.add(line.toArray());
        }

        void mark() {
            mark(new Marks.Mark());
        }

        void expectBound() {
            Map<String, String> map = top();
            for (String name : FIELDS.keySet()) {
                boolean isBound = RecordingContextKey.forName(name).isBound();
                if (isBound != (map != null && map.containsKey(name))) {
                    throw new AssertionError(name + ": " + isBound + ", but there is " + model);
                }
            }
        }
    }

    /** Work that goes from thread to thread. */
    private static final class Fiber {
        final RecordingContextFiber fiber;
        final List<Map<String, String>> model = new ArrayList<>();
        final List<RecordingContext> open = new ArrayList<>();

        Fiber(RecordingContext.Snapshot begin, Map<String, String> map) {
            fiber = RecordingContextFiber.of(begin);
            if (map != null) {
                model.add(map);
            }
        }
    }

    /** A thread to which a fiber comes. */
    private final class Carrier extends Actor {
        private final Fiber fiber;

        Carrier(int seed, ThreadFactory factory, Fiber fiber) {
            super(seed, 0, false, factory);
            this.fiber = fiber;
        }

        @Override
        void act() {
            RecordingContext own = open();
            mounted(fiber);
            mark();
            close(own);
        }
    }

    /** A thread on which the context of another one is installed. */
    private final class Guest extends Actor {
        private final RecordingContext.Snapshot snapshot;
        private final Map<String, String> map;

        Guest(int seed, ThreadFactory factory, RecordingContext.Snapshot snapshot,
                Map<String, String> map) {
            super(seed, 0, false, factory);
            this.snapshot = snapshot;
            this.map = map;
        }

        @Override
        void act() {
            for (int i = random.nextInt(3); i >= 0; i--) {
                RecordingContext.Activation activation = activate(snapshot, map);
                if (random.nextBoolean()) {
                    mark();
                    close(open());
                }
                expectBound();
                close(activation);
                called();
            }
        }

        private void called() {
            model.add(map);
            long from = Ticks.between();
            if (random.nextBoolean()) {
                RecordingContext.runWithSnapshot(() -> inside(from), snapshot);
            } else {
                try {
                    RecordingContext.callWithSnapshot(() -> {
                        inside(from);
                        throw new IllegalStateException("as planned");
                    }, snapshot);
                    throw new AssertionError("the exception was lost");
                } catch (Exception e) {
                    if (!"as planned".equals(e.getMessage())) {
                        throw new AssertionError(e);
                    }
                }
            }
            model.remove(model.size() - 1);
            note(map, lastInside);
            expectBound();
        }

        private long lastInside;

        private void inside(long from) {
            note(null, from);
            expectBound();
            if (random.nextBoolean()) {
                mark();
            }
            lastInside = Ticks.between();
        }
    }
}
