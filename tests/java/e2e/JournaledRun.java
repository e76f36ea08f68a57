// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import jdk.jfr.Recording;

/**
 * A program whose threads, of both kinds, do something with contexts and write down what they did.
 * A recording of the program's own keeps every raw event for comparison.
 *
 * <pre>PROGRAM JOURNAL REFERENCE.jfr PLATFORM_THREADS VIRTUAL_THREADS CHUNKS</pre>
 *
 * With CHUNKS above 0 the threads go on until that many chunk files have begun since the start.
 */
abstract class JournaledRun {
    /** Values that a text has to get through with. */
    static final String[] TEXTS = {
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
    private static final long LIMIT_NANOS = 60_000_000_000L;

    final Journal head = new Journal();
    final AtomicInteger contextIds = new AtomicInteger();
    final AtomicLong sequence = new AtomicLong();
    final boolean isLong;
    private final Path journalFile;
    private final Path reference;
    private final int platformThreads;
    private final int virtualThreads;
    private final int chunks;
    private final List<Journal> journals = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean isOver;
    private volatile Throwable failure;

    JournaledRun(String[] args) {
        this(args, Integer.parseInt(args[4]) > 0);
    }

    JournaledRun(String[] args, boolean isLong) {
        journalFile = Path.of(args[0]);
        reference = Path.of(args[1]);
        platformThreads = Integer.parseInt(args[2]);
        virtualThreads = Integer.parseInt(args[3]);
        chunks = Integer.parseInt(args[4]);
        this.isLong = isLong;
        journals.add(head);
    }

    /**
     * What one of the threads does. A patient one keeps one context open from the first chunk to
     * the last.
     */
    abstract Worker worker(int seed, boolean isPatient, ThreadFactory factory);

    @SuppressWarnings("deprecation") // Thread.threadId() is there from JDK 19 on
    final void record() throws Exception {
        try (Recording raw = new Recording()) {
            raw.setName("reference");
            raw.start();
            head.add("FROM", Ticks.between());
            runThreads();
            Marks.Mark end = new Marks.Mark();
            end.seq = sequence.incrementAndGet();
            end.commit();
            head.add("EVENT", Thread.currentThread().getId(), end.seq, Ticks.between());
            head.add("TO", Ticks.between());
            // The first dump ends the chunk, so that the second one also has what was stamped in it
            // and stored later.
            raw.dump(reference);
            raw.dump(reference);
            Journal.write(journalFile, journals);
        }
        if (failure != null) {
            throw new AssertionError(failure);
        }
    }

    private void runThreads() throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < platformThreads; i++) {
            threads.add(start(worker(i, isLong && i == 0, null), null));
        }
        ThreadFactory factory = virtualThreads > 0 ? VirtualThreads.factory() : null;
        for (int i = 0; i < virtualThreads; i++) {
            threads.add(start(worker(1000 + i, isLong && i == 0, factory), factory));
        }
        if (isLong) {
            meanwhile();
            isOver = true;
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Starts a thread of a factory, whose threads have no names, or a platform thread. */
    final Thread start(Runnable work, ThreadFactory factory) {
        Runnable guarded = () -> {
            try {
                work.run();
            } catch (Throwable e) {
                failure = e;
            }
        };
        Thread thread = factory == null ? new Thread(guarded) : factory.newThread(guarded);
        thread.start();
        return thread;
    }

    /** What the main thread does in a long run. The threads go on until it returns. */
    void meanwhile() throws Exception {
        long end = countChunks() + chunks;
        await(chunks + " new chunks", () -> countChunks() >= end);
    }

    /** Waits until it is so. */
    final void await(String what, Callable<Boolean> isSo) throws Exception {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (!isSo.call()) {
            if (System.nanoTime() > deadline || failure != null) {
                throw new IllegalStateException("not there: " + what, failure);
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    /** How many chunk files JFR has. */
    static long countChunks() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("jdk.jfr.repository")))) {
            return files.count();
        }
    }

    /** What one thread does, and its journal. */
    abstract class Worker implements Runnable {
        final Journal journal = new Journal();
        final Random random;
        final ThreadFactory
                factory; // of this thread and those that it starts; null: platform threads
        long threadId;

        Worker(int seed, ThreadFactory factory) {
            this.random = new Random(seed);
            this.factory = factory;
        }

        @Override
        @SuppressWarnings("deprecation") // Thread.threadId() is there from JDK 19 on
        public final void run() {
            threadId = Thread.currentThread().getId();
            journals.add(journal);
            work();
            journal.add("END", threadId, Ticks.between(), factory != null);
        }

        abstract void work();

        /** Repeats the action that often, or until the run is over. */
        final void repeat(int steps, Runnable action) {
            for (int step = 0; isLong ? !isOver : step < steps; step++) {
                action.run();
                if (isLong) {
                    LockSupport.parkNanos(10_000_000);
                }
            }
        }

        final void awaitEnd() {
            while (!isOver) {
                LockSupport.parkNanos(1_000_000);
            }
        }

        final void mark(Marks.Mark mark) {
            mark.seq = sequence.incrementAndGet();
            Ticks.between();
            mark.commit();
            journal.add("EVENT", threadId, mark.seq, Ticks.between());
        }
    }
}
