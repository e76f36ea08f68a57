// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.Loupe;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A service that counts its requests, as a metric of its own would: on several threads each request
 * is a context of the Loupe API around a contextual JFR event, with the path as an attribute of
 * both, and in every tenth there is an event. Every hundredth is slow: its thread is parked.
 *
 * <pre>CountedE2E THREADS REQUESTS</pre>
 *
 * REQUESTS are those of each thread. Prints a line for each kind and path: "KIND PATH COUNT INNER
 * OUTER", the last two being nanoseconds that all of them took at least and at most.
 */
public final class CountedE2E {
    private static final String[] PATHS = {"/cart", "/pay", "/search", "/search", "/search"};
    private static final long PAUSE_NANOS = 200_000;
    private static final long LONG_PAUSE_NANOS = 50_000_000; // JFR records parks from 20 ms on

    /** What a thread has counted of a kind and a path. */
    private static final class Counted {
        private long count;
        private long innerNanos;
        private long outerNanos;

        private void add(long innerNanos, long outerNanos) {
            count++;
            this.innerNanos += innerNanos;
            this.outerNanos += outerNanos;
        }
    }

    private final Map<String, Counted> counted = new TreeMap<>();

    private CountedE2E() {}

    public static void main(String[] args) throws Exception {
        if (!Loupe.registerContext(Marks.Order.class)) {
            throw new IllegalStateException("the context type was not registered");
        }
        int requests = Integer.parseInt(args[1]);
        CountedE2E[] services = new CountedE2E[Integer.parseInt(args[0])];
        Thread[] threads = new Thread[services.length];
        for (int i = 0; i < services.length; i++) {
            CountedE2E service = new CountedE2E();
            services[i] = service;
            threads[i] = new Thread(() -> service.serve(requests), "service-" + i);
            threads[i].start();
        }
        CountedE2E total = new CountedE2E();
        for (int i = 0; i < services.length; i++) {
            threads[i].join();
            services[i].counted.forEach(total::add);
        }
        total.counted.forEach((name, sum)
                                      -> System.out.println(name + " " + sum.count + " "
                                              + sum.innerNanos + " " + sum.outerNanos));
    }

    private void add(String name, Counted part) {
        Counted sum = counted.computeIfAbsent(name, key -> new Counted());
        sum.count += part.count;
        sum.innerNanos += part.innerNanos;
        sum.outerNanos += part.outerNanos;
    }

    private void serve(int requests) {
        Marks.Order order = new Marks.Order();
        for (int i = 0; i < requests; i++) {
            order.number = i;
            order.text = PATHS[i % PATHS.length];
            Ticks.between();
            long before = System.nanoTime();
            order.set();
            long begun = System.nanoTime();
            handle(i, order.text);
            long ending = System.nanoTime();
            order.unset();
            count("order", order.text, begun, ending, before, System.nanoTime());
        }
    }

    private void handle(int number, String path) {
        Ticks.between();
        Marks.Trace trace = new Marks.Trace();
        trace.id = number;
        trace.user = path;
        long before = System.nanoTime();
        trace.begin();
        long begun = System.nanoTime();
        if (number % 10 == 0) {
            Marks.Mark mark = new Marks.Mark();
            mark.seq = number;
            mark.commit();
        }
        LockSupport.parkNanos(number % 100 == 0 ? LONG_PAUSE_NANOS : PAUSE_NANOS);
        long ending = System.nanoTime();
        trace.end();
        count("trace", path, begun, ending, before, System.nanoTime());
        trace.commit();
        Ticks.between();
    }

    private void count(String kind, String path, long begun, long ending, long before, long after) {
        counted.computeIfAbsent(kind + " " + path, key -> new Counted())
                .add(ending - begun, after - before);
    }
}
