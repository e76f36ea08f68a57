// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.StructuredTaskScope;
import java.util.concurrent.StructuredTaskScope.Joiner;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** CarriedE2E, and before it the same with virtual threads and structured scopes. */
public final class CarriedThreads {
    private CarriedThreads() {}

    public static void main(String[] args) throws Exception {
        CarriedE2E.start(args);
        virtual();
        scopes();
        delays();
        CarriedE2E.finish(args[0]);
    }

    private static void virtual() throws Exception {
        CarriedE2E.with("startVirtualThread", Thread::startVirtualThread);
        CarriedE2E.with("an unstarted virtual thread", mark -> {
            Thread thread = Thread.ofVirtual().unstarted(mark);
            Thread other = new Thread(thread::start);
            other.start();
            other.join();
        });
        CarriedE2E.with("a virtual thread that parks", mark -> Thread.startVirtualThread(() -> {
            for (int i = 0; i < 20; i++) {
                Thread.yield();
            }
            mark.run();
        }));
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            CarriedE2E.with("submit to virtual threads", pool::submit);
            CarriedE2E.with("execute on virtual threads", pool::execute);
            CarriedE2E.with("execute a named class on virtual threads",
                    mark -> pool.execute(new CarriedE2E.Named(mark, 0)));
            CarriedE2E.after("of virtual threads", pool, 4);
        }
        try (ExecutorService pool =
                        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            CarriedE2E.with("submit to a thread for each task", pool::submit);
            CarriedE2E.with("execute on a thread for each task", pool::execute);
        }
        ExecutorService[] pool = new ExecutorService[1];
        CarriedE2E.with("a pool of virtual threads born in a request", mark -> {
            pool[0] = Executors.newFixedThreadPool(1, Thread.ofVirtual().factory());
            pool[0].execute(mark);
        });
        CarriedE2E.after("of a pool of virtual threads", pool[0], 1);
        pool[0].shutdown();
        idle();
    }

    // A worker that waits for tasks has no place in the table of those that wait with contexts.
    private static void idle() throws Exception {
        List<Thread> workers = new ArrayList<>();
        ThreadFactory virtual = Thread.ofVirtual().factory();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                4, 4, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), worker -> {
                    workers.add(virtual.newThread(worker));
                    return workers.getLast();
                });
        pool.prestartAllCoreThreads();
        if (CarriedE2E.areThreadsIn) {
            CarriedE2E.check("places of workers", 0L, countPlaces(workers));
        }
        CarriedE2E.check("workers", 4, workers.size());
        pool.shutdown();
    }

    private static long countPlaces(List<Thread> threads) throws Exception {
        String table = "dev.loupe.internal.carry.PendingTasks";
        Field heads = Class.forName(table + "$Table").getDeclaredField("HEADS");
        Field next = Class.forName(table + "$Entry").getDeclaredField("next");
        heads.setAccessible(true);
        next.setAccessible(true);
        AtomicReferenceArray<?> buckets = (AtomicReferenceArray<?>) heads.get(null);
        long count = 0;
        for (int i = 0; i < buckets.length(); i++) {
            for (Object entry = buckets.get(i); entry != null; entry = next.get(entry)) {
                count += threads.contains(((Reference<?>) entry).get()) ? 1 : 0;
            }
        }
        return count;
    }

    private static void scopes() throws Exception {
        CarriedE2E.with("a structured scope", mark -> {
            try (var scope = StructuredTaskScope.open()) {
                scope.fork(mark);
                scope.join();
            }
        });
        CarriedE2E.with("a structured scope with a Callable", mark -> {
            try (var scope = StructuredTaskScope.open()) {
                scope.fork(Executors.callable(mark));
                scope.join();
            }
        });
        CarriedE2E.with("a structured scope of platform threads", mark -> {
            try (var scope = StructuredTaskScope.open(Joiner.awaitAll(),
                         config -> config.withThreadFactory(Thread.ofPlatform().factory()))) {
                scope.fork(mark);
                scope.join();
            }
        });
    }

    private static void delays() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        CarriedE2E.with(
                "ForkJoinPool.schedule", mark -> pool.schedule(mark, 1, TimeUnit.MILLISECONDS));
        CarriedE2E.with("ForkJoinPool.schedule a Callable",
                mark -> pool.schedule(Executors.callable(mark), 1, TimeUnit.MILLISECONDS));
        CarriedE2E.without("ForkJoinPool.scheduleAtFixedRate", mark -> {
            CountDownLatch first = new CountDownLatch(1);
            var future = pool.scheduleAtFixedRate(() -> {
                if (first.getCount() > 0) {
                    first.countDown();
                    mark.run();
                }
            }, 0, 9, TimeUnit.DAYS);
            CarriedE2E.await(first);
            future.cancel(false);
        });
        pool.shutdown();
    }
}
