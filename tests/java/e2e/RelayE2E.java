// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.Loupe;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that set each context over the one before, so that one begins at the very tick at which
 * the other ends. In most of them an event is committed. It takes a few seconds, so that the
 * contexts of each thread come in several batches.
 *
 * <pre>RelayE2E THREADS MILLISECONDS</pre>
 */
public final class RelayE2E {
    private static final int EMPTY_EVERY = 7; // contexts, of which one has no event
    private static final int PAUSE_MAX_NANOS = 10_000_000;

    private RelayE2E() {}

    public static void main(String[] args) throws Exception {
        if (!Loupe.registerContext(Marks.Span.class)) {
            throw new IllegalStateException("the context type was not registered");
        }
        long end = System.nanoTime() + Long.parseLong(args[1]) * 1_000_000;
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            Random random = new Random(i);
            Thread thread = new Thread(() -> run(random, end), "relay-" + i);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void run(Random random, long end) {
        Marks.Span span = new Marks.Span();
        for (int i = 0; System.nanoTime() < end; i++) {
            span.id = i;
            span.name = Thread.currentThread().getName();
            span.set();
            if (i % EMPTY_EVERY != 0) {
                Marks.Tick tick = new Marks.Tick();
                tick.seq = i;
                tick.commit();
            }
            LockSupport.parkNanos(random.nextInt(random.nextBoolean() ? 200_000 : PAUSE_MAX_NANOS));
        }
        span.unset();
    }
}
