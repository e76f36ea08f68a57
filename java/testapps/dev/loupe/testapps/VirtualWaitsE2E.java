// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.Loupe;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/**
 * Threads of all kinds that wait for a monitor, surely: it is left when all of them are blocked.
 * The journal has a line for each wait: the round, the kind of thread, its id, the number of its
 * context, a moment before it waits, one at which it does, and one when it has the monitor.
 *
 * <p>A virtual thread is pinned by a native frame: needs jdk.reflect.useNativeAccessorOnly, and
 * more carriers than there are pinned threads.
 *
 * <pre>LockWaitsE2E JOURNAL (rounds:COUNT|until:FILE)</pre>
 */
public final class LockWaitsE2E {
    private static final int EACH = 3;
    private static final Journal JOURNAL = new Journal();

    private static int count;

    private LockWaitsE2E() {}

    /** Whose monitor they want. */
    static final class Monitor {}

    private static final class Waiter implements Runnable {
        private final Monitor monitor;
        private final String kind;
        private final Marks.Span context = new Marks.Span();
        private long from;
        private long entered;

        Waiter(Monitor monitor, String kind) {
            this.monitor = monitor;
            this.kind = kind;
            context.id = count++;
        }

        @Override
        public void run() {
            if (!kind.equals("outside")) {
                context.set();
            }
            from = Ticks.between();
            if (kind.equals("pinned")) {
                enterPinned();
            } else {
                enter();
            }
            context.unset();
        }

        void enter() {
            synchronized (monitor) {
                entered = Ticks.between();
            }
        }

        private void enterPinned() {
            try {
                Method enter = Waiter.class.getDeclaredMethod("enter");
                enter.invoke(this);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Loupe.registerContext(Marks.Span.class);
        String[] end = args[1].split(":", 2);
        for (int round = 0; !isOver(end, round); round++) {
            run(round);
            System.out.println("round " + round);
        }
        Journal.write(Path.of(args[0]), List.of(JOURNAL));
    }

    private static boolean isOver(String[] end, int round) {
        return end[0].equals("rounds") ? round == Integer.parseInt(end[1])
                                       : Files.exists(Path.of(end[1]));
    }

    private static void run(int round) throws Exception {
        ThreadFactory virtual = VirtualThreads.factory();
        Monitor monitor = new Monitor();
        List<Waiter> waiters = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (String kind : List.of("virtual", "outside", "platform", "pinned")) {
            for (int i = 0; i < EACH; i++) {
                Waiter waiter = new Waiter(monitor, kind);
                waiters.add(waiter);
                threads.add(
                        kind.equals("platform") ? new Thread(waiter) : virtual.newThread(waiter));
            }
        }
        long held = holdUntilBlocked(monitor, threads);
        for (int i = 0; i < threads.size(); i++) {
            threads.get(i).join();
            Waiter waiter = waiters.get(i);
            JOURNAL.add(round, waiter.kind, threads.get(i).getId(), waiter.context.id, waiter.from,
                    held, waiter.entered);
        }
    }

    private static long holdUntilBlocked(Monitor monitor, List<Thread> threads) {
        synchronized (monitor) {
            for (Thread thread : threads) {
                thread.start();
                while (thread.getState() != Thread.State.BLOCKED) {
                    Thread.onSpinWait();
                }
            }
            return Ticks.between();
        }
    }
}
