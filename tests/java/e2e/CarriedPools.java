// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Tasks of named classes that pools get twice at once, refuse, or remove. */
final class CarriedPools {
    private static final int TASKS = 3000;
    private static final int SPINS = 200;
    private static final int LATEST = 256;

    private CarriedPools() {}

    static void run() throws Exception {
        atOnce();
        rolledBack();
        refusedAndQueued();
    }

    private static ThreadPoolExecutor pool(BlockingQueue<Runnable> queue) {
        return new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, queue);
    }

    // Two threads hand over the same objects at the same time, in two contexts: nobody knows which
    // run is which.
    private static void atOnce() throws Exception {
        ThreadPoolExecutor pool = pool(new LinkedBlockingQueue<>());
        AtomicInteger bound = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(2 * TASKS);
        Runnable[] tasks = new Runnable[TASKS];
        for (int i = 0; i < TASKS; i++) {
            tasks[i] = new CarriedE2E.Named(() -> {
                bound.addAndGet(CarriedE2E.ENDPOINT.isBound() ? 1 : 0);
                done.countDown();
            }, 0);
        }
        CountDownLatch go = new CountDownLatch(1);
        pool.execute(() -> CarriedE2E.await(go));
        AtomicInteger steps = new AtomicInteger();
        Thread other = new Thread(() -> handOver("another thread", tasks, steps, pool));
        other.start();
        handOver("a thread", tasks, steps, pool);
        other.join();
        go.countDown();
        CarriedE2E.await(done);
        CarriedE2E.check("runs of objects that two threads hand over at once", 0L, done.getCount());
        CarriedE2E.check("those with a context", 0, bound.get());
        pool.shutdown();
    }

    private static void handOver(
            String name, Runnable[] tasks, AtomicInteger steps, ExecutorService pool) {
        try {
            CarriedE2E.inContext(name, () -> {
                for (int i = 0; i < tasks.length; i++) {
                    meet(steps, i);
                    for (int j = name.length() * i % LATEST; j > 0; j--) {
                        steps.get(); // one of them a little later than the other, by some ns
                    }
                    pool.execute(tasks[i]);
                }
            });
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    // Returns as both threads have come to a step.
    private static void meet(AtomicInteger steps, int step) {
        steps.incrementAndGet();
        for (int i = 1; steps.get() < 2 * (step + 1); i++) {
            if (i % SPINS == 0) {
                Thread.yield(); // there may be one processor
            } else {
                Thread.onSpinWait();
            }
        }
    }

    // A pool that is shut down as it gets a task removes and refuses it. The task waits in another
    // pool as well.
    private static void rolledBack() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        List<Runnable> refused = new ArrayList<>();
        ThreadPoolExecutor[] closing = new ThreadPoolExecutor[1];
        closing[0] = pool(new LinkedBlockingQueue<>() {
            private static final long serialVersionUID = 1;

            @Override
            public boolean offer(Runnable task) {
                boolean isThere = super.offer(task);
                closing[0].shutdown();
                return isThere;
            }
        });
        closing[0].setRejectedExecutionHandler((task, of) -> refused.add(task));
        closing[0].execute(() -> CarriedE2E.await(go));
        ThreadPoolExecutor pool = pool(new LinkedBlockingQueue<>());
        pool.execute(() -> CarriedE2E.await(go));
        CarriedE2E.with("a named task that another pool has rolled back", mark -> {
            Runnable task = new CarriedE2E.Named(mark, 0);
            pool.execute(task);
            closing[0].execute(task);
            go.countDown();
        });
        CarriedE2E.check("tasks that were rolled back", 1, refused.size());
        pool.shutdown();
    }

    /** A queue that refuses every task that is offered, and takes it when it is put. */
    private static final class Refusing extends LinkedBlockingQueue<Runnable> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean offer(Runnable task) {
            return false;
        }
    }

    // Whoever gets a task that a pool has refused may put it into the queue all the same.
    private static void refusedAndQueued() throws Exception {
        ThreadPoolExecutor pool = pool(new Refusing());
        pool.setRejectedExecutionHandler((task, of) -> {
            try {
                of.getQueue().put(task);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        pool.execute(() -> {});
        CarriedE2E.with("a named task that a handler puts into the queue",
                mark -> pool.execute(new CarriedE2E.Named(mark, 0)));
        // The run before is none that another context has to do with.
        CarriedE2E.Named[] task = new CarriedE2E.Named[1];
        AtomicReference<Runnable> next = new AtomicReference<>();
        for (String name : List.of("a refused object", "the same object in another context")) {
            CarriedE2E.with(name, mark -> {
                if (task[0] == null) {
                    task[0] = new CarriedE2E.Named(() -> next.get().run(), 0);
                }
                next.set(mark);
                pool.execute(task[0]);
            });
        }
        pool.shutdown();
    }

    /** What Tomcat's own pool forces into its queue when it has refused it. */
    static void forced(Class<?> type) throws Exception {
        Class<?> retryable = Class.forName(
                "org.apache.tomcat.util.threads.RetryableQueue", true, type.getClassLoader());
        LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
        Object queue = Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {retryable}, (proxy, method, args) -> {
                    switch (method.getName()) {
                        case "offer":
                            return false;
                        case "force":
                            return tasks.offer((Runnable) args[0]);
                        default:
                            try {
                                return method.invoke(tasks, args);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                    }
                });
        ExecutorService pool = (ExecutorService) type
                                       .getConstructor(int.class, int.class, long.class,
                                               TimeUnit.class, BlockingQueue.class)
                                       .newInstance(1, 1, 1, TimeUnit.SECONDS, queue);
        pool.execute(() -> {});
        CarriedE2E.with("a named task that Tomcat's pool forces into its queue",
                mark -> pool.execute(new CarriedE2E.Named(mark, 0)));
        CarriedE2E.with("a lambda that Tomcat's pool forces into its queue", pool::execute);
        pool.shutdown();
    }
}
