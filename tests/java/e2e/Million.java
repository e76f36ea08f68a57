// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.Loupe;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads that are alive all at once, each with a context open: an event when the context
 * has begun, then the thread is parked until all are there, and of every tenth another event before
 * the end.
 *
 * <pre>Million JOURNAL THREADS...</pre>
 *
 * Does so with each number of threads in turn. When all are there it prints "alive THREADS" and
 * waits for a line of input. The journal has for each context of the last turn, in the order of
 * their ids from 0: thread, and the moments between which it began and ended, in ticks. Every
 * hundredth thread ends without ending its context. Contexts of earlier turns have ids below 0.
 */
public final class Million {
    private static final int BATCH = 1000; // that is under way at a time
    private static final int LEFT_OPEN = 100;
    private static final int SECOND_EVENT = 10;

    /** The journal's numbers of a context. */
    static final int THREAD = 0;
    static final int BEGIN_FROM = 1;
    static final int BEGIN_TO = 2;
    static final int END_FROM = 3;
    static final int END_TO = 4;
    static final int FIELDS = 5;

    private final Thread[] threads;
    private final long[] journal;
    private final boolean isLast;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private volatile boolean isReleased;

    private Million(int count, boolean isLast) {
        threads = new Thread[count];
        journal = new long[count * FIELDS];
        this.isLast = isLast;
    }

    public static void main(String[] args) throws Exception {
        if (!Loupe.registerContext(Marks.Order.class)) {
            throw new AssertionError("the type is not registered");
        }
        ThreadFactory factory = VirtualThreads.factory();
        for (int i = 1; i < args.length; i++) {
            boolean isLast = i == args.length - 1;
            Million turn = new Million(Integer.parseInt(args[i]), isLast);
            turn.run(factory);
            if (isLast) {
                turn.write(Path.of(args[0]));
            }
        }
    }

    private void run(ThreadFactory factory) throws IOException {
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = factory.newThread(() -> work(number));
            threads[i].start();
            await(begun, i - BATCH);
        }
        await(begun, threads.length);
        System.out.println("alive " + threads.length);
        if (System.in.read() < 0) {
            throw new AssertionError("nobody asks to go on");
        }
        isReleased = true;
        for (int i = 0; i < threads.length; i++) {
            LockSupport.unpark(threads[i]);
            await(ended, i - BATCH);
        }
        await(ended, threads.length);
    }

    private static void await(AtomicInteger count, int expected) {
        while (count.get() < expected) {
            LockSupport.parkNanos(100_000);
        }
    }

    @SuppressWarnings("deprecation") // Thread.threadId() is there from JDK 19 on
    private void work(int number) {
        int at = number * FIELDS;
        Marks.Order order = new Marks.Order();
        order.number = isLast ? number : -1 - number;
        journal[at + THREAD] = Thread.currentThread().getId();
        journal[at + BEGIN_FROM] = Ticks.between();
        order.set();
        journal[at + BEGIN_TO] = Ticks.between();
        tick(order.number);
        begun.incrementAndGet();
        while (!isReleased) {
            LockSupport.park();
        }
        if (eventsOf(number) > 1) {
            tick(order.number);
        }
        journal[at + END_FROM] = Ticks.between();
        journal[at + END_TO] = Long.MAX_VALUE;
        if (number % LEFT_OPEN != 0) {
            order.unset();
            journal[at + END_TO] = Ticks.between();
        }
        ended.incrementAndGet();
    }

    static int eventsOf(int number) {
        return number % SECOND_EVENT == 0 ? 2 : 1;
    }

    private static void tick(long seq) {
        Marks.Tick tick = new Marks.Tick();
        tick.seq = seq;
        tick.commit();
    }

    private void write(Path file) throws IOException {
        try (DataOutputStream out = new DataOutputStream(
                     new BufferedOutputStream(Files.newOutputStream(file), 1 << 16))) {
            for (long value : journal) {
                out.writeLong(value);
            }
        }
    }
}
