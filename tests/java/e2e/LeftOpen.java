// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads that end with RecordingContexts open, each with a number of its own.
 *
 * <pre>LeftOpen ROUNDS THREADS</pre>
 *
 * Each has PAIRS of two, whose outer one is alive in a snapshot for a while. After each round of so
 * many virtual threads the program waits until the garbage collector has seen that one of their
 * objects is gone. Prints "contexts COUNT".
 */
public final class LeftOpen {
    private static final RecordingContextKey NUMBER = RecordingContextKey.forName("number");

    private static final int PAIRS = 4;

    private final AtomicLong numbers = new AtomicLong();

    private LeftOpen() {}

    public static void main(String[] args) throws Exception {
        LeftOpen test = new LeftOpen();
        for (int round = 0; round < Integer.parseInt(args[0]); round++) {
            WeakReference<Object> gone = test.run(Integer.parseInt(args[1]));
            while (gone.get() != null) {
                System.gc();
            }
        }
        System.out.println("contexts " + test.numbers);
    }

    private WeakReference<Object> run(int count) throws Exception {
        ThreadFactory factory = VirtualThreads.factory();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Thread thread = factory.newThread(this::work);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return new WeakReference<>(threads);
    }

    private void work() {
        for (int i = 0; i < PAIRS; i++) {
            open();
            RecordingContext.snapshot();
            open();
        }
    }

    private void open() {
        RecordingContext.where(NUMBER, Long.toString(numbers.getAndIncrement())).build();
    }
}
