// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.Loupe;
import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tasks with events on executors of all kinds, in RecordingContexts of the threads that submitted
 * them. For each event the program writes down which that was.
 *
 * <pre>PropagationE2E JOURNAL</pre>
 */
@SuppressWarnings("try")
public final class PropagationE2E {
    static final RecordingContextKey ENDPOINT = RecordingContextKey.forName("endpoint");

    private static final int SUBMITTERS = 3;
    private static final int ROUNDS = 25;
    private static final AtomicLong SEQUENCE = new AtomicLong();
    private static final List<Object[]> LINES = Collections.synchronizedList(new ArrayList<>());

    private PropagationE2E() {}

    public static void main(String[] args) throws Exception {
        ScheduledExecutorService scheduled = Executors.newScheduledThreadPool(2);
        submitTo(scheduled);
        later(Loupe.wrap(scheduled));
        List<ExecutorService> services =
                new ArrayList<>(List.of(Executors.newFixedThreadPool(2), new ForkJoinPool(2)));
        if (VirtualThreads.areThere()) {
            services.add(
                    (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor")
                            .invoke(null));
        }
        for (ExecutorService service : services) {
            submitTo(service);
            service.shutdown();
        }
        scheduled.shutdown();
        write(args[0]);
    }

    static void write(String path) throws Exception {
        Journal journal = new Journal();
        LINES.forEach(journal::add);
        Journal.write(Path.of(path), List.of(journal));
    }

    // Several threads submit at once: a pool's thread has one context after the other.
    private static void submitTo(ExecutorService delegate) throws Exception {
        ExecutorService service = Loupe.wrap(delegate);
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < SUBMITTERS; i++) {
            threads.add(new Thread(() -> {
                try {
                    for (int round = 0; round < ROUNDS; round++) {
                        submit(service, delegate);
                    }
                } catch (Exception e) {
                    failures.add(e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (!failures.isEmpty()) {
            throw new AssertionError(failures.get(0));
        }
    }

    private static void submit(ExecutorService service, ExecutorService delegate) throws Exception {
        String endpoint = endpoint();
        List<Future<?>> futures = new ArrayList<>();
        try (RecordingContext c = RecordingContext.where(ENDPOINT, endpoint).build()) {
            futures.add(service.submit(() -> mark(endpoint)));
            String inner = endpoint();
            try (RecordingContext d = RecordingContext.where(ENDPOINT, inner).build()) {
                futures.addAll(service.invokeAll(
                        List.of(Executors.callable(() -> mark(inner)), Loupe.wrap(() -> {
                            mark(inner);
                            return null;
                        }))));
            }
            futures.add(CompletableFuture.runAsync(() -> mark(endpoint), service)
                                .thenRunAsync(() -> mark(endpoint), service));
            Thread own = new Thread(Loupe.wrap(() -> mark(endpoint)));
            own.start();
            own.join();
        }
        futures.add(service.submit(() -> mark(null)));
        futures.add(delegate.submit(() -> mark(null)));
        for (Future<?> future : futures) {
            future.get();
        }
    }

    private static void later(ScheduledExecutorService service) throws Exception {
        String endpoint = endpoint();
        Future<?> future;
        try (RecordingContext c = RecordingContext.where(ENDPOINT, endpoint).build()) {
            future = service.schedule(() -> mark(endpoint), 1, TimeUnit.MILLISECONDS);
        }
        future.get();
    }

    static String endpoint() {
        return "/" + SEQUENCE.incrementAndGet();
    }

    // EVENT thread number endpoint, null for none.
    @SuppressWarnings("deprecation") // Thread.threadId() is there from JDK 19 on
    static void mark(String endpoint) {
        Marks.Mark mark = new Marks.Mark();
        mark.seq = SEQUENCE.incrementAndGet();
        Ticks.between();
        mark.commit();
        Ticks.between();
        LINES.add(new Object[] {"EVENT", Thread.currentThread().getId(), mark.seq, endpoint});
    }
}
