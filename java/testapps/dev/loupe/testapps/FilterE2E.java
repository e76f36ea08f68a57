// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextFilter;
import dev.loupe.RecordingContextFilter.Config;
import dev.loupe.RecordingContextKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.EventType;
import jdk.jfr.Recording;

/**
 * Threads of both kinds commit events in RecordingContexts and outside, while the filter of the JVM
 * changes. The program writes down which contexts there were, and when which filter was set: what
 * must survive is for the judge to say.
 *
 * <pre>FilterE2E JOURNAL REFERENCE.jfr PLATFORM_THREADS VIRTUAL_THREADS FILTERS UNTIL</pre>
 *
 * FILTERS are numbers with commas between. UNTIL is {@code chunks:N}, when it goes through them
 * until so many chunk files have begun, once at least; or {@code file:PATH}, when it prints
 * {@code set} after the last and stays with that until the file is there.
 */
public final class FilterE2E {
    private static final String TYPE = "loupe.RecordingContext";
    private static final RecordingContextKey ENDPOINT = RecordingContextKey.forName("endpoint");
    private static final RecordingContextKey ODD = RecordingContextKey.forName("an \"odd\\ key");
    private static final String LONG = "x".repeat(1023) + "\u00fc and more";
    private static final String CUT = "x".repeat(1023);
    private static final long LIMIT_NANOS = 60_000_000_000L;
    private static final int STEPS_BETWEEN = 100;

    private final List<Journal> journals = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong sequence = new AtomicLong();
    private final AtomicLong steps = new AtomicLong();
    private final Journal head = new Journal();
    private volatile boolean isOver;
    private volatile Throwable failure;

    private FilterE2E() {}

    // By their number, as the judge knows them.
    private static RecordingContextFilter filter(int number) {
        EventType mark = EventType.getEventType(Marks.Mark.class);
        RecordingContextFilter.Builder builder = Config.createFilter();
        switch (number) {
            case 0:
                return null;
            case 1:
                return builder.forAllTypes(t -> t.hasContext()).build();
            case 2:
                return builder.forType(mark, t -> t.hasEntry(ENDPOINT, "/pay \"now\"")).build();
            case 3:
                return builder.forType(mark, t -> t.hasNoContext())
                        .forAllTypes(t -> t.hasKey(ODD))
                        .forType(mark, t -> t.reset())
                        .build();
            case 4:
                return builder.forAllTypes(t -> t.hasContext())
                        .forType(mark, t -> t.hasNoContext())
                        .build();
            case 5:
                return builder.forType(mark, t -> t.hasKey(ENDPOINT))
                        .forType(mark, t -> t.hasEntry(ENDPOINT, null))
                        .build();
            case 6:
                return builder.forType(mark, t -> t.hasEntry(ENDPOINT, LONG).hasKey(ODD)).build();
            case 7: // too large
                return builder
                        .forAllTypes(t -> {
                            for (int i = 0; i < 16; i++) {
                                t.hasEntry(ENDPOINT, i + LONG.repeat(5));
                            }
                        })
                        .build();
            default:
                throw new IllegalArgumentException("filter " + number);
        }
    }

    public static void main(String[] args) throws Exception {
        FilterE2E test = new FilterE2E();
        test.journals.add(test.head);
        try (Recording raw = new Recording()) {
            raw.setName("reference");
            raw.start();
            test.head.add("FROM", Ticks.between());
            test.run(Integer.parseInt(args[2]), Integer.parseInt(args[3]), args[4].split(","),
                    args[5]);
            test.head.add("TO", Ticks.between());
            raw.dump(Path.of(args[1]));
            raw.dump(Path.of(args[1]));
            Journal.write(Path.of(args[0]), test.journals);
        }
        if (test.failure != null) {
            throw new AssertionError(test.failure);
        }
    }

    private void run(int platformThreads, int virtualThreads, String[] filters, String until)
            throws Exception {
        List<Thread> threads = new ArrayList<>();
        ThreadFactory factory = virtualThreads > 0 ? VirtualThreads.factory() : Thread::new;
        for (int i = 0; i < platformThreads; i++) {
            threads.add(new Thread(new Worker(i, false)));
        }
        for (int i = 0; i < virtualThreads; i++) {
            threads.add(factory.newThread(new Worker(1000 + i, true)));
        }
        threads.forEach(Thread::start);
        change(filters, until);
        isOver = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void change(String[] filters, String until) throws Exception {
        String limit = until.substring(until.indexOf(':') + 1);
        waitForSteps();
        if (until.startsWith("file:")) {
            setAll(filters);
            System.out.println("set");
            while (!Files.exists(Path.of(limit))) {
                LockSupport.parkNanos(20_000_000);
            }
            return;
        }
        Path repository = Path.of(System.getProperty("jdk.jfr.repository"));
        long end = RecordingE2E.countFiles(repository) + Long.parseLong(limit);
        do {
            setAll(filters);
        } while (RecordingE2E.countFiles(repository) < end);
    }

    private void setAll(String[] filters) {
        for (String number : filters) {
            RecordingContextFilter filter = filter(Integer.parseInt(number));
            long from = Ticks.between();
            Config.setContextFilter(filter);
            head.add("FILTER", from, Ticks.between(), Integer.parseInt(number));
            if (Config.contextFilter() != filter) {
                throw new AssertionError("another filter is set");
            }
            waitForSteps();
        }
    }

    private void waitForSteps() {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        for (long end = steps.get() + STEPS_BETWEEN; steps.get() < end && failure == null;) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the threads do not go on");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** What one thread does. */
    private final class Worker implements Runnable {
        private final Journal journal = new Journal();
        private final Random random;
        private final boolean isVirtual;
        private long threadId;
        private int number;

        Worker(int seed, boolean isVirtual) {
            this.random = new Random(seed);
            this.isVirtual = isVirtual;
        }

        @Override
        public void run() {
            threadId = Thread.currentThread().getId();
            journals.add(journal);
            try {
                while (!isOver) {
                    step();
                    steps.incrementAndGet();
                    LockSupport.parkNanos(2_000_000);
                }
            } catch (Throwable e) {
                failure = e;
            }
            journal.add("END", threadId, Ticks.between(), isVirtual);
        }

        private void step() {
            commit();
            switch (random.nextInt(5)) {
                case 0:
                    in(RecordingContext.where(ENDPOINT, "/pay \"now\""), "/pay \"now\"", false);
                    break;
                case 1:
                    in(RecordingContext.where(ENDPOINT, "/other").where(ODD, null), "/other", true);
                    break;
                case 2:
                    in(RecordingContext.where(ENDPOINT, null), null, false);
                    break;
                case 3:
                    in(RecordingContext.where(ENDPOINT, LONG).where(ODD, "1"), CUT, true);
                    break;
                default:
                    break;
            }
            commit();
        }

        // SET thread type begin-from begin-to number attribute=value...
        private void in(RecordingContext.Builder builder, String endpoint, boolean isOdd) {
            long from = Ticks.between();
            RecordingContext context = builder.build();
            if (ENDPOINT.isBound()) { // else there is no agent yet
                journal.add("SET", threadId, TYPE, from, Ticks.between(), ++number, "endpoint",
                        endpoint, isOdd ? "odd" : "even", "");
            }
            commit();
            LockSupport.parkNanos(200_000);
            long end = Ticks.between();
            context.close();
            journal.add("UNSET", threadId, TYPE, end, Ticks.between());
        }

        private void commit() {
            Ticks.between();
            if (random.nextInt(3) == 0) {
                Marks.Tick tick = new Marks.Tick();
                tick.seq = sequence.incrementAndGet();
                tick.commit();
            } else {
                Marks.Mark mark = new Marks.Mark();
                mark.seq = sequence.incrementAndGet();
                mark.commit();
                journal.add("EVENT", threadId, mark.seq, Ticks.between());
            }
        }
    }
}
