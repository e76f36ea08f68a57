// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.Loupe;
import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * That tasks carry RecordingContexts, and that nothing else about tasks and executors changes.
 *
 * <pre>PropagationTest (agent | none)</pre>
 *
 * Without the agent there are no contexts, and all the rest is the same.
 */
@SuppressWarnings("try")
public final class PropagationTest {
    private static final RecordingContextKey KEY = RecordingContextKey.forName("key");
    private static final RecordingContextKey OTHER = RecordingContextKey.forName("other");
    private static final long LIMIT_S = 30;

    private static boolean hasAgent;

    private PropagationTest() {}

    public static void main(String[] args) throws Exception {
        hasAgent = args[0].equals("agent");
        tasks();
        severalThreads();
        ExecutorService two = Executors.newFixedThreadPool(2);
        check(two);
        two.shutdown();
        ForkJoinPool fork = new ForkJoinPool(2);
        check(fork);
        fork.shutdown();
        check(ForkJoinPool.commonPool());
        if (VirtualThreads.areThere()) {
            ExecutorService virtual = (ExecutorService) Executors
                                              .class.getMethod("newVirtualThreadPerTaskExecutor")
                                              .invoke(null);
            check(virtual);
            virtual.shutdown();
        }
        ScheduledExecutorService scheduled = Executors.newScheduledThreadPool(1);
        check(scheduled);
        schedule(scheduled);
        scheduled.shutdown();
        executor();
        shutDown();
        if (Runtime.version().feature() >= 19) {
            close();
        }
    }

    private static void expect(Object expected, Object found) {
        if (!Objects.equals(expected, found)) {
            throw new AssertionError(found + ", not " + expected);
        }
    }

    private static RecordingContext install() {
        return RecordingContext.where(KEY, "value").build();
    }

    private interface Action {
        void run() throws Exception;
    }

    private static Throwable thrownBy(Action action) {
        try {
            action.run();
        } catch (Throwable e) {
            return e;
        }
        throw new AssertionError("nothing was thrown");
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable e) throws E {
        throw(E) e;
    }

    private static void tasks() throws Exception {
        Callable<Boolean> inContext;
        Callable<Boolean> outside = Loupe.wrap((Callable<Boolean>) KEY::isBound);
        AtomicReference<Object> seen = new AtomicReference<>();
        Runnable runnable;
        try (RecordingContext c = install()) {
            inContext = Loupe.wrap((Callable<Boolean>) KEY::isBound);
            runnable = Loupe.wrap(() -> seen.set(KEY.isBound()));
            expect(false, outside.call());
            expect(hasAgent, KEY.isBound());
        }
        try (RecordingContext c = RecordingContext.where(OTHER, "value").build()) {
            for (int i = 0; i < 2; i++) {
                expect(hasAgent, inContext.call());
                seen.set(null);
                runnable.run();
                expect(hasAgent, seen.get());
                expect(false, KEY.isBound());
                expect(hasAgent, OTHER.isBound());
            }
        }
        Exception checked = new Exception();
        Error error = new Error();
        try (RecordingContext c = install()) {
            Callable<?> failing = Loupe.wrap((Callable<?>) () -> { throw checked; });
            expect(checked, thrownBy(failing::call));
            expect(checked, thrownBy(Loupe.wrap(() -> PropagationTest.sneak(checked))::run));
            Runnable broken = () -> {
                throw error;
            };
            expect(error, thrownBy(Loupe.wrap(broken)::run));
            expect(hasAgent, KEY.isBound());
        }
        expect(NullPointerException.class, thrownBy(() -> Loupe.wrap((Runnable) null)).getClass());
        expect(NullPointerException.class,
                thrownBy(() -> Loupe.wrap((Callable<?>) null)).getClass());
        expect(NullPointerException.class, thrownBy(() -> Loupe.wrap((Executor) null)).getClass());
    }

    // All of them at once.
    private static void severalThreads() throws Exception {
        int count = 8;
        CyclicBarrier barrier = new CyclicBarrier(count);
        List<Boolean> seen = Collections.synchronizedList(new ArrayList<>());
        Runnable task;
        try (RecordingContext c = install()) {
            task = Loupe.wrap(() -> {
                try {
                    barrier.await(LIMIT_S, TimeUnit.SECONDS);
                    seen.add(KEY.isBound());
                    barrier.await(LIMIT_S, TimeUnit.SECONDS);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        }
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(new Thread(task));
            threads.get(i).start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        expect(Collections.nCopies(count, hasAgent), seen);
    }

    // Whatever the executor is.
    private static void check(ExecutorService delegate) throws Exception {
        ExecutorService service = Loupe.wrap(delegate);
        Callable<Boolean> isBound = KEY::isBound;
        AtomicReference<Object> seen = new AtomicReference<>();
        Runnable see = () -> seen.set(KEY.isBound());
        Exception checked = new Exception();
        List<Callable<Boolean>> three = List.of(isBound, () -> !KEY.isBound(), isBound);
        try (RecordingContext c = install()) {
            expect(hasAgent, service.submit(isBound).get());
            expect("result", service.submit(see, "result").get());
            expect(hasAgent, seen.getAndSet(null));
            expect(null, service.submit(see).get());
            expect(hasAgent, seen.getAndSet(null));
            List<Boolean> all = new ArrayList<>();
            for (Future<Boolean> future : service.invokeAll(three)) {
                all.add(future.get());
            }
            expect(List.of(hasAgent, !hasAgent, hasAgent), all);
            all.clear();
            for (Future<Boolean> future : service.invokeAll(three, LIMIT_S, TimeUnit.SECONDS)) {
                all.add(future.get());
            }
            expect(List.of(hasAgent, !hasAgent, hasAgent), all);
            expect(hasAgent, service.invokeAny(List.of(isBound, isBound)));
            expect(hasAgent,
                    service.invokeAny(List.of(isBound, isBound), LIMIT_S, TimeUnit.SECONDS));
            CountDownLatch done = new CountDownLatch(1);
            service.execute(() -> {
                see.run();
                done.countDown();
            });
            expect(true, done.await(LIMIT_S, TimeUnit.SECONDS));
            expect(hasAgent, seen.getAndSet(null));
            expect(hasAgent,
                    CompletableFuture.supplyAsync(KEY::isBound, service)
                            .thenApplyAsync(b -> b && KEY.isBound(), service)
                            .get());
            Callable<?> failing = () -> {
                throw checked;
            };
            Throwable thrown = thrownBy(() -> service.submit(failing).get());
            expect(ExecutionException.class, thrown.getClass());
            expect(true, isOrCauses(checked, thrown.getCause()));
        }
        expect(false, delegate.submit(isBound).get()); // on a thread that had them
        expect(false, service.submit(isBound).get());
        cancel(service);
    }

    // ForkJoinPool wraps exceptions of another thread into one more.
    private static boolean isOrCauses(Throwable expected, Throwable found) {
        return found == expected || found != null && isOrCauses(expected, found.getCause());
    }

    private static void cancel(ExecutorService service) throws Exception {
        CountDownLatch isRunning = new CountDownLatch(1);
        CountDownLatch isOver = new CountDownLatch(1);
        Future<?> future;
        try (RecordingContext c = install()) {
            future = service.submit(() -> {
                isRunning.countDown();
                return isOver.await(LIMIT_S, TimeUnit.SECONDS);
            });
        }
        expect(true, isRunning.await(LIMIT_S, TimeUnit.SECONDS));
        expect(true, future.cancel(true));
        expect(true, future.isCancelled());
        isOver.countDown(); // ForkJoinPool does not interrupt
    }

    private static void schedule(ScheduledExecutorService delegate) throws Exception {
        ScheduledExecutorService service = Loupe.wrap(delegate);
        List<Boolean> seen = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch runs = new CountDownLatch(6);
        Runnable task = () -> {
            seen.add(KEY.isBound());
            runs.countDown();
        };
        ScheduledFuture<?> rate;
        ScheduledFuture<?> delay;
        try (RecordingContext c = install()) {
            expect(hasAgent, service.schedule(KEY::isBound, 1, TimeUnit.MILLISECONDS).get());
            expect(null, service.schedule(task, 1, TimeUnit.MILLISECONDS).get());
            rate = service.scheduleAtFixedRate(task, 0, 1, TimeUnit.MILLISECONDS);
            delay = service.scheduleWithFixedDelay(task, 0, 1, TimeUnit.MILLISECONDS);
        }
        expect(true, runs.await(LIMIT_S, TimeUnit.SECONDS));
        expect(true, rate.cancel(false));
        expect(true, delay.cancel(false));
        expect(false, List.copyOf(seen).contains(!hasAgent));
        expect(false, service.schedule(KEY::isBound, 1, TimeUnit.MILLISECONDS).get());
    }

    private static void executor() {
        List<Runnable> tasks = new ArrayList<>();
        Executor executor = Loupe.wrap((Executor) tasks::add);
        AtomicReference<Object> seen = new AtomicReference<>();
        try (RecordingContext c = install()) {
            executor.execute(() -> seen.set(KEY.isBound()));
        }
        tasks.get(0).run();
        expect(hasAgent, seen.get());
        expect(NullPointerException.class, thrownBy(() -> executor.execute(null)).getClass());
    }

    private static void shutDown() throws Exception {
        ExecutorService delegate = Executors.newSingleThreadExecutor();
        ExecutorService service = Loupe.wrap(delegate);
        CountDownLatch isRunning = new CountDownLatch(1);
        AtomicReference<Object> interrupted = new AtomicReference<>();
        Runnable waiting = () -> {};
        try (RecordingContext c = install()) {
            service.execute(() -> {
                isRunning.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.set(e);
                }
            });
            service.execute(waiting);
        }
        expect(true, isRunning.await(LIMIT_S, TimeUnit.SECONDS));
        expect(false, service.isShutdown());
        expect(List.of(waiting), service.shutdownNow());
        expect(true, service.awaitTermination(LIMIT_S, TimeUnit.SECONDS));
        expect(true, interrupted.get() != null);
        expect(true, delegate.isShutdown() && service.isShutdown() && service.isTerminated());
        expect(RejectedExecutionException.class,
                thrownBy(() -> service.submit(waiting)).getClass());
        ExecutorService gentle = Executors.newSingleThreadExecutor();
        Loupe.wrap(gentle).shutdown();
        expect(true, gentle.awaitTermination(LIMIT_S, TimeUnit.SECONDS));
    }

    // Each in its own way.
    private static void close() throws Exception {
        ExecutorService delegate = Executors.newSingleThreadExecutor();
        ExecutorService service = Loupe.wrap(delegate);
        Future<Boolean> last;
        try (RecordingContext c = install()) {
            last = service.submit(KEY::isBound);
            close(service);
        }
        expect(true, delegate.isTerminated());
        expect(hasAgent, last.get());
        close(Loupe.wrap(ForkJoinPool.commonPool()));
        expect(false, ForkJoinPool.commonPool().isShutdown());
    }

    private static void close(ExecutorService service) throws Exception {
        try {
            ExecutorService.class.getMethod("close").invoke(service);
        } catch (InvocationTargetException e) {
            throw new AssertionError(e.getCause());
        }
    }
}
