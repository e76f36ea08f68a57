// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/**
 * Virtual threads that want one lock, as soon as the JVM runs: all of them wait for it, surely, and
 * each then has it for a while.
 *
 * <pre>ShortLivedE2E THREADS HELD_MILLIS</pre>
 */
public final class ShortLivedE2E {
    private ShortLivedE2E() {}

    /** What they want. */
    static final class Monitor {}

    private static final class Waiter implements Runnable {
        private final Monitor monitor;
        private final long heldMillis;

        Waiter(Monitor monitor, long heldMillis) {
            this.monitor = monitor;
            this.heldMillis = heldMillis;
        }

        @Override
        public void run() {
            synchronized (monitor) {
                try {
                    Thread.sleep(heldMillis);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Monitor monitor = new Monitor();
        Waiter waiter = new Waiter(monitor, Long.parseLong(args[1]));
        ThreadFactory virtual = VirtualThreads.factory();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            threads.add(virtual.newThread(waiter));
        }
        synchronized (monitor) {
            for (Thread thread : threads) {
                thread.start();
            }
            for (Thread thread : threads) {
                while (thread.getState() != Thread.State.BLOCKED) {
                    Thread.onSpinWait();
                }
            }
            Thread.sleep(Long.parseLong(args[1])); // longer than the thresholds
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
