// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.Loupe;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads of all kinds that wait, surely: until all of them do they are not let go. For a monitor,
 * or parked. The journal has a line for each wait: the round, the kind of thread, its id, the
 * number of its context, a moment before it waits, one at which it does, and one when that is over.
 *
 * <p>A virtual thread is pinned by a native frame: needs jdk.reflect.useNativeAccessorOnly, and
 * more carriers than there are pinned threads.
 *
 * <pre>VirtualWaitsE2E JOURNAL (lock|park) (rounds:COUNT|until:FILE)</pre>
 */
public final class VirtualWaitsE2E {
    private static final int EACH = 3;
    // How long they are parked at least: magnify.jfc leaves out what is shorter than 20 ms.
    private static final long PARK_NANOS = 40_000_000;
    private static final Journal JOURNAL = new Journal();

    private static int count;

    private VirtualWaitsE2E() {}

    /** Whose monitor they want. */
    static final class Monitor {}

    private static final class Waiter implements Runnable {
        private final Monitor monitor; // null: it parks
        private final String kind;
        private final Marks.Span context = new Marks.Span();
        private long from;
        private long over;
        private volatile boolean isLetGo;

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
                awaitPinned();
            } else {
                await();
            }
            context.unset();
        }

        void await() {
            if (monitor != null) {
                enter();
            } else {
                park();
            }
        }

        void enter() {
            synchronized (monitor) {
                over = Ticks.between();
            }
        }

        void park() {
            while (!isLetGo) {
                LockSupport.park();
            }
            over = Ticks.between();
        }

        private void awaitPinned() {
            try {
                Method await = Waiter.class.getDeclaredMethod("await");
                await.invoke(this);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Loupe.registerContext(Marks.Span.class);
        boolean isLock = args[1].equals("lock");
        String[] end = args[2].split(":", 2);
        for (int round = 0; !isOver(end, round); round++) {
            run(round, isLock);
            System.out.println("round " + round);
        }
        Journal.write(Path.of(args[0]), List.of(JOURNAL));
    }

    private static boolean isOver(String[] end, int round) {
        return end[0].equals("rounds") ? round == Integer.parseInt(end[1])
                                       : Files.exists(Path.of(end[1]));
    }

    @SuppressWarnings("deprecation") // Thread.threadId() is there from JDK 19 on
    private static void run(int round, boolean isLock) throws Exception {
        ThreadFactory virtual = VirtualThreads.factory();
        Monitor monitor = isLock ? new Monitor() : null;
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
        long held = isLock ? holdUntilBlocked(monitor, threads) : holdUntilParked(waiters, threads);
        for (int i = 0; i < threads.size(); i++) {
            threads.get(i).join();
            Waiter waiter = waiters.get(i);
            JOURNAL.add(round, waiter.kind, threads.get(i).getId(), waiter.context.id, waiter.from,
                    held, waiter.over);
        }
    }

    private static long holdUntilBlocked(Monitor monitor, List<Thread> threads) {
        synchronized (monitor) {
            startUntil(Thread.State.BLOCKED, threads);
            return Ticks.between();
        }
    }

    private static long holdUntilParked(List<Waiter> waiters, List<Thread> threads) {
        startUntil(Thread.State.WAITING, threads);
        long parked = System.nanoTime();
        while (System.nanoTime() - parked < PARK_NANOS) {
            Thread.onSpinWait();
        }
        // Not before: a thread is WAITING a little sooner than its event begins.
        long held = Ticks.between();
        for (int i = 0; i < threads.size(); i++) {
            waiters.get(i).isLetGo = true;
            LockSupport.unpark(threads.get(i));
        }
        return held;
    }

    private static void startUntil(Thread.State state, List<Thread> threads) {
        for (Thread thread : threads) {
            thread.start();
            while (thread.getState() != state) {
                Thread.onSpinWait();
            }
        }
    }
}
