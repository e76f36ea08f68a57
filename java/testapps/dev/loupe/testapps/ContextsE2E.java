// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.ContextType;
import dev.loupe.Loupe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import jdk.jfr.Event;
import jdk.jfr.Recording;

/**
 * Threads of both kinds set and unset contexts, some around events and some around nothing, and
 * write down what they did. A recording of the program's own keeps every raw event for comparison.
 *
 * <pre>ContextsE2E JOURNAL REFERENCE.jfr PLATFORM_THREADS VIRTUAL_THREADS CHUNKS</pre>
 *
 * With CHUNKS above 0 the threads go on until that many chunk files have begun since the start.
 */
public final class ContextsE2E {
    private static final String[] TEXTS = {
            null,
            "",
            "plain",
            "tab\tand \"quotes\" \\ newline\n",
            "Latin-1: \u00e5\u00e9\u00ff\u00a0",
            "\u20ac \u4e2d\u6587",
            "non-BMP: \ud83d\ude00\ud834\udd1e",
            "nul:\u0000:nul",
            "x".repeat(300),
            "\u00fc".repeat(200),
    };
    private static final int STEPS = 250;
    private static final int VIRTUAL_STEPS = 40;
    private static final long LIMIT_NANOS = 60_000_000_000L;

    private final List<Journal> journals = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger contextIds = new AtomicInteger();
    private final AtomicLong sequence = new AtomicLong();
    private final boolean isLong;
    private volatile boolean isOver;

    private ContextsE2E(boolean isLong) {
        this.isLong = isLong;
    }

    public static void main(String[] args) throws Exception {
        Path journal = Path.of(args[0]);
        Path reference = Path.of(args[1]);
        int platformThreads = Integer.parseInt(args[2]);
        int virtualThreads = Integer.parseInt(args[3]);
        int chunks = Integer.parseInt(args[4]);
        ContextsE2E test = new ContextsE2E(chunks > 0);

        Journal head = new Journal();
        test.journals.add(head);
        Class<? extends ContextType> first = chunks > 0 ? Marks.Kinds.class : Marks.Order.class;
        head.add("REGISTER", first.getSimpleName(), Loupe.registerContext(first));
        head.add("REGISTER", "Span", Loupe.registerContext(Marks.Span.class));
        head.add("REGISTER", "Over", Loupe.registerContext(Marks.Over.class));

        try (Recording raw = new Recording()) {
            raw.setName("reference");
            raw.start();
            head.add("FROM", Ticks.between());
            test.run(platformThreads, virtualThreads, chunks);
            Marks.Mark end = new Marks.Mark();
            end.seq = test.sequence.incrementAndGet();
            end.commit();
            head.add("EVENT", Thread.currentThread().getId(), end.seq, Ticks.between());
            head.add("TO", Ticks.between());
            // The first dump ends the chunk, so that the second one also has what was stamped in it
            // and stored later.
            raw.dump(reference);
            raw.dump(reference);
            Journal.write(journal, test.journals);
        }
        System.out.println("done");
    }

    private void run(int platformThreads, int virtualThreads, int chunks) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < platformThreads; i++) {
            Worker worker = new Worker(i, STEPS, isLong && i == 0, false);
            threads.add(new Thread(worker, "worker-" + i));
        }
        ThreadFactory factory = virtualThreads > 0 ? VirtualThreads.factory() : null;
        for (int i = 0; i < virtualThreads; i++) {
            // Virtual threads without a name are the common case.
            threads.add(
                    factory.newThread(new Worker(1000 + i, VIRTUAL_STEPS, isLong && i == 0, true)));
        }
        for (Thread thread : threads) {
            thread.start();
        }
        if (chunks > 0) {
            waitForChunks(chunks);
            isOver = true;
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void waitForChunks(int chunks) throws Exception {
        Path repository = Path.of(System.getProperty("jdk.jfr.repository"));
        long deadline = System.nanoTime() + LIMIT_NANOS;
        long atStart = countFiles(repository);
        while (countFiles(repository) < atStart + chunks) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("no " + chunks + " new chunks in " + repository);
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static long countFiles(Path directory) throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            return files.count();
        }
    }

    /** What one thread does. */
    private final class Worker implements Runnable {
        private final Journal journal = new Journal();
        private final Random random;
        private final int steps;
        private final boolean isPatient; // keeps one context open from the first chunk to the last
        private final boolean isVirtual;
        private final Marks.Order order = new Marks.Order();
        private final Marks.Kinds kinds = new Marks.Kinds();
        private final Marks.Span span = new Marks.Span();
        private final Marks.Over over = new Marks.Over();
        private long threadId;

        Worker(int seed, int steps, boolean isPatient, boolean isVirtual) {
            this.random = new Random(seed);
            this.steps = steps;
            this.isPatient = isPatient;
            this.isVirtual = isVirtual;
        }

        @Override
        public void run() {
            threadId = Thread.currentThread().getId();
            journals.add(journal);
            if (isPatient) {
                beSlow();
            } else if (isLong) {
                for (long step = 0; !isOver; step++) {
                    act();
                    LockSupport.parkNanos(5_000_000);
                }
            } else {
                for (int step = 0; step < steps; step++) {
                    act();
                }
            }
            // Half of the threads leave their contexts open: the end of the thread ends them.
            boolean isTidy = random.nextBoolean();
            if (isTidy) {
                unset("first");
                unset("span");
            }
            journal.add("END", threadId, Ticks.between(), isVirtual);
        }

        // One context with an event at both ends, and inside it one without any, over all chunks.
        private void beSlow() {
            setFirst();
            mark();
            setSpan();
            while (!isOver) {
                LockSupport.parkNanos(1_000_000);
            }
            unset("span");
            mark();
            unset("first");
        }

        private void act() {
            switch (random.nextInt(12)) {
                case 0, 1 -> setFirst();
                case 2, 3 -> setSpan();
                case 4 -> unset("first");
                case 5 -> unset("span");
                case 6 -> mark();
                case 7 -> traced(random.nextInt(3));
                case 8 -> nested();
                case 9 -> Thread.yield();
                case 10 -> overlapping();
                default -> empty();
            }
        }

        // Around nothing: must not be in the result.
        private void empty() {
            setFirst();
            unset("first");
            setSpan();
            unset("span");
        }

        private void nested() {
            setFirst();
            setSpan();
            if (random.nextBoolean()) {
                mark();
            }
            unset("span");
            if (random.nextInt(3) == 0) {
                mark();
            }
            unset("first");
        }

        private void overlapping() {
            setSpan();
            if (random.nextBoolean()) {
                mark();
            }
            setFirst();
            unset("span");
            if (random.nextInt(3) == 0) {
                mark();
            }
            unset("first");
        }

        // An event that is a context itself, around some events, none, or another one.
        private void traced(int events) {
            int id = contextIds.incrementAndGet();
            Event trace;
            boolean isNative = NativeTrace.isThere() && random.nextBoolean();
            Ticks.between();
            if (isNative) {
                trace = NativeTrace.create(id);
                trace.begin();
            } else {
                Marks.Trace own = new Marks.Trace();
                own.id = id;
                own.user = TEXTS[random.nextInt(TEXTS.length)];
                own.plain = -id;
                own.begin();
                trace = own;
            }
            for (int i = 0; i < events; i++) {
                mark();
            }
            if (random.nextInt(4) == 0) {
                traced(random.nextInt(2));
            }
            Ticks.between();
            trace.commit();
            journal.add("TRACE", threadId, isNative ? "e2e.NativeTrace" : "e2e.Trace", id, Ticks.between());
            }

            private void mark() {
                Marks.Mark mark = new Marks.Mark();
                mark.seq = sequence.incrementAndGet();
                mark.text = TEXTS[random.nextInt(TEXTS.length)];
                mark.span = mark.seq % 7;
                mark.type = random.nextBoolean() ? null : Worker.class;
                mark.other = Thread.currentThread();
                Ticks.between();
                mark.commit();
                journal.add("EVENT", threadId, mark.seq, Ticks.between());
            }

            // SET thread type begin-from begin-to id attribute=value...
            private void setFirst() {
                int id = contextIds.incrementAndGet();
                String text = TEXTS[random.nextInt(TEXTS.length)];
                if (isLong) {
                    kinds.id = id * 0x1_0000_0001L;
                    kinds.small = (short) random.nextInt();
                    kinds.ratio = random.nextInt(5) == 0 ? -0.0f : random.nextFloat();
                    kinds.text = text;
                    long from = Ticks.between();
                    kinds.set();
                    journal.add("SET", threadId, "e2e-kinds", from, Ticks.between(), id, "id",
                            kinds.id, "small", kinds.small, "ratio", kinds.ratio, "text", text);
                } else {
                    order.number = -id;
                    order.text = text;
                    order.amount = random.nextInt(5) == 0 ? Double.MIN_VALUE : random.nextDouble();
                    order.prio = (byte) random.nextInt();
                    long from = Ticks.between();
                    order.set();
                    journal.add("SET", threadId, "e2e-order", from, Ticks.between(), id, "id",
                            order.number, "text", text, "amount", order.amount, "priority",
                            order.prio);
                }
                if (over.isActive()) {
                    throw new AssertionError("a type over the limit of attributes is active");
                }
                over.set();
            }

            private void setSpan() {
                String name = TEXTS[random.nextInt(TEXTS.length)];
                span.id = contextIds.incrementAndGet();
                span.root = random.nextBoolean();
                span.grade = (char) random.nextInt(0xd800);
                span.name = name == null ? null : new StringBuilder(name);
                long from = Ticks.between();
                span.set();
                journal.add("SET", threadId, "e2e.Span", from, Ticks.between(), span.id, "id",
                        span.id, "root", span.root, "grade", span.grade, "name", name);
            }

            private void unset(String which) {
                ContextType type = which.equals("span") ? span : isLong ? kinds : order;
                String name = which.equals("span") ? "e2e.Span"
                        : isLong                   ? "e2e-kinds"
                                                   : "e2e-order";
                long from = Ticks.between();
                type.unset();
                journal.add("UNSET", threadId, name, from, Ticks.between());
            }
        }
    }
