// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import static java.nio.charset.StandardCharsets.US_ASCII;

import akka.dispatch.Mailbox;
import com.rabbitmq.client.impl.ConsumerWorkService;
import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.Housekeeper;
import dev.loupe.ContextAccess;
import dev.loupe.Loupe;
import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextFiber;
import dev.loupe.RecordingContextKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import jdk.jfr.Name;

/**
 * Hands tasks from thread to thread in all ways of the JDK, with contexts of all kinds. For each
 * event in a task the program writes down which case it is of, and whether it is to be in that
 * case's contexts.
 *
 * With {@code wait} it prints a line once it has a pool, and goes on when it reads one. With {@code
 * exhaust} it hands over tasks without memory in the end.
 *
 * <pre>CarriedE2E JOURNAL tasks|threads|off [wait|exhaust]</pre>
 */
@SuppressWarnings("try")
public final class CarriedE2E {
    /** A context by ContextAccess. */
    @Name("e2e.Request")
    record Request(@Name("path") String path, @Name("number") int number) {}

    /** Hands the mark over, so that it is run. */
    interface Body {
        void run(Runnable mark) throws Exception;
    }

    static final RecordingContextKey ENDPOINT = RecordingContextKey.forName("endpoint");
    // The kinds of contexts, as they are called in the recording.
    private static final String RECORDING = "loupe.RecordingContext";
    private static final String ORDER = "e2e_order";
    private static final String REQUEST = "e2e.Request";
    private static final ContextAccess<Request> ACCESS = ContextAccess.forType(Request.class);
    private static final AtomicLong SEQUENCE = new AtomicLong();
    private static final List<Object[]> LINES = Collections.synchronizedList(new ArrayList<>());
    private static final List<String> FAILURES = Collections.synchronizedList(new ArrayList<>());
    static final int LIMIT_S = 60;

    private static boolean areTasksIn; // by the option
    static boolean areThreadsIn;

    private CarriedE2E() {}

    public static void main(String[] args) throws Exception {
        start(args);
        finish(args[0]);
    }

    static void start(String[] args) throws Exception {
        areThreadsIn = args[1].equals("threads");
        areTasksIn = areThreadsIn || args[1].equals("tasks");
        Loupe.registerContext(Marks.Order.class);
        ExecutorService early = Executors.newFixedThreadPool(1);
        early.submit(() -> {}).get();
        if (has(args, "wait")) { // the agent comes later
            Refused refused = new Refused();
            System.out.println("ready");
            System.in.read();
            run("a class that the JVM does not let the agent rewrite", true, 1,
                    refused::rewriteAndRun);
        }
        with("submit to a pool that is older than all the rest", early::submit);
        with("execute on a pool that is older than all the rest", early::execute);
        with("submit after a fiber has left the thread",
                mark -> afterFiber(() -> early.submit(mark)));
        early.shutdown();
        forks();
        workers();
        sizes();
        threads();
        if (has(args, "exhaust")) {
            CarriedOverflows.run();
            CarriedExhausted.run();
        }
        if (areTasksIn) { // else it matters who completes a stage, and Loupe.wrap is used
            pools();
            CarriedPools.run();
            stages();
            values();
            fewer(RECORDING);
            fewer(ORDER);
            fewer(REQUEST);
        }
    }

    private static boolean has(String[] args, String option) {
        return args.length > 2 && args[2].equals(option);
    }

    static void finish(String path) throws Exception {
        Journal journal = new Journal();
        LINES.forEach(journal::add);
        Journal.write(Path.of(path), List.of(journal));
        if (!FAILURES.isEmpty()) {
            throw new AssertionError(FAILURES.toString());
        }
    }

    // --- What cases are made of

    /** The contexts are carried. */
    static void with(String name, Body body) throws Exception {
        run(name, areTasksIn, 1, body);
    }

    static void withMany(String name, int marks, Body body) throws Exception {
        run(name, areTasksIn, marks, body);
    }

    /** They are not. */
    static void without(String name, Body body) throws Exception {
        run(name, false, 1, body);
    }

    private static void withThreads(String name, Body body) throws Exception {
        run(name, areThreadsIn, 1, body);
    }

    static void run(String name, boolean isCarried, int marks, Body body) throws Exception {
        CountDownLatch marked = new CountDownLatch(marks);
        Runnable mark = () -> {
            mark(name, isCarried ? name : null);
            marked.countDown();
        };
        inContext(name, () -> body.run(mark));
        if (!marked.await(LIMIT_S, TimeUnit.SECONDS)) {
            FAILURES.add(name + ": not run");
        }
    }

    interface Work {
        void run() throws Exception;
    }

    static void inContext(String name, Work work) throws Exception {
        Marks.Order order = new Marks.Order();
        try (RecordingContext c = RecordingContext.where(ENDPOINT, name).build()) {
            order.text = name;
            order.number = -name.length();
            order.amount = 0.1;
            order.set();
            order.text = "not set";
            ACCESS.set(new Request(name, name.length()));
            work.run();
        } finally {
            order.unset();
            ACCESS.unset();
        }
    }

    static void mark(String name, String expected) {
        mark(name, expected, null);
    }

    // EVENT thread number case expected, null for none, and the only kind that is, null for all.
    @SuppressWarnings("deprecation") // Thread.threadId() is there from JDK 19 on
    private static void mark(String name, String expected, String kind) {
        Marks.Mark mark = new Marks.Mark();
        mark.seq = SEQUENCE.incrementAndGet();
        Ticks.between();
        mark.commit();
        Ticks.between();
        LINES.add(new Object[] {
                "EVENT", Thread.currentThread().getId(), mark.seq, name, expected, kind});
        boolean isBound = expected != null && (kind == null || kind.equals(RECORDING));
        check(name + ": bound", isBound, ENDPOINT.isBound());
    }

    static void check(String what, Object expected, Object found) {
        if (!Objects.equals(expected, found)) {
            FAILURES.add(what + ": " + found + ", not " + expected);
        }
    }

    private static Callable<Object> callable(Runnable mark) {
        return Executors.callable(mark);
    }

    // A task outside of all contexts on each of so many threads of a pool: nothing has stuck.
    static void after(String name, Executor pool, int threads) throws Exception {
        CountDownLatch here = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            pool.execute(() -> {
                mark(name + ", after", null);
                here.countDown();
                try {
                    here.await(LIMIT_S, TimeUnit.SECONDS); // so that each takes another thread
                } catch (InterruptedException e) {
                    FAILURES.add(name + ": interrupted");
                }
            });
        }
        check(name + ": after", true, here.await(LIMIT_S, TimeUnit.SECONDS));
    }

    // --- ThreadPoolExecutor

    /** A task that somebody may know by its class. */
    static class Named implements Runnable, Comparable<Named> {
        private final Runnable mark;
        private final int rank;

        Named(Runnable mark, int rank) {
            this.mark = mark;
            this.rank = rank;
        }

        @Override
        public void run() {
            mark.run();
        }

        @Override
        public int compareTo(Named other) {
            return Integer.compare(rank, other.rank);
        }
    }

    /** A pool that says which tasks it was shown. */
    private static final class Watching extends ThreadPoolExecutor {
        final List<Runnable> before = Collections.synchronizedList(new ArrayList<>());
        final List<Runnable> after = Collections.synchronizedList(new ArrayList<>());

        Watching() {
            super(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable task) {
            before.add(task);
        }

        @Override
        protected void afterExecute(Runnable task, Throwable thrown) {
            after.add(task);
        }
    }

    private static void pools() throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(2);
        with("submit a Callable", mark -> pool.submit(callable(mark)));
        with("submit a Runnable", mark -> pool.submit(mark));
        with("submit a Runnable with a result", mark -> pool.submit(mark, "result"));
        withMany("invokeAll", 2, mark -> pool.invokeAll(List.of(callable(mark), callable(mark))));
        with("invokeAny", mark -> pool.invokeAny(List.of(callable(mark))));
        with("schedule a Callable",
                mark -> pool.schedule(callable(mark), 1, TimeUnit.MILLISECONDS));
        with("schedule a Runnable", mark -> pool.schedule(mark, 1, TimeUnit.MILLISECONDS));
        List<ScheduledFuture<?>> periodic = Collections.synchronizedList(new ArrayList<>());
        without("scheduleAtFixedRate",
                mark -> periodic.add(pool.scheduleAtFixedRate(once(mark), 0, 9, TimeUnit.DAYS)));
        without("scheduleWithFixedDelay",
                mark -> periodic.add(pool.scheduleWithFixedDelay(once(mark), 0, 9, TimeUnit.DAYS)));
        periodic.forEach(future -> future.cancel(true));
        execute("of a ScheduledThreadPoolExecutor", pool, 2);
        pool.shutdown();
        tomcat();
        netty();
        ExecutorService fixed = Executors.newFixedThreadPool(2);
        execute("of a ThreadPoolExecutor", fixed, 2);
        fixed.shutdown();
        with("a FutureTask that a thread runs",
                mark -> new Thread(new FutureTask<>(mark, 1)).start());
        with("Loupe.wrap", mark -> {
            ExecutorService wrapped = Loupe.wrap(Executors.newSingleThreadExecutor());
            wrapped.execute(mark);
            wrapped.shutdown();
        });
        queues();
    }

    // Tomcat's own pool, if its jar is on the class path.
    private static void tomcat() throws Exception {
        Class<?> type;
        try {
            type = Class.forName("org.apache.tomcat.util.threads.ThreadPoolExecutor");
        } catch (ClassNotFoundException e) {
            return;
        }
        ExecutorService pool =
                (ExecutorService) type
                        .getConstructor(int.class, int.class, long.class, TimeUnit.class,
                                BlockingQueue.class)
                        .newInstance(2, 2, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        execute("of Tomcat's ThreadPoolExecutor", pool, 2);
        pool.shutdown();
        CarriedPools.forced(type);
    }

    // Netty's event loops, if its jars are on the class path.
    private static void netty() throws Exception {
        Class<?> type;
        try {
            type = Class.forName("io.netty.channel.nio.NioEventLoopGroup");
        } catch (ClassNotFoundException e) {
            return;
        }
        ScheduledExecutorService loop = group(type, int.class, 1);
        execute("of Netty's event loop", loop, 1);
        with("submit a Callable to Netty's event loop", mark -> loop.submit(callable(mark)));
        with("submit with a result to Netty's event loop", mark -> loop.submit(mark, 1));
        with("schedule a Callable of Netty's event loop",
                mark -> loop.schedule(callable(mark), 1, TimeUnit.MILLISECONDS));
        with("schedule a Runnable of Netty's event loop",
                mark -> loop.schedule(mark, 1, TimeUnit.MILLISECONDS));
        without("scheduleAtFixedRate of Netty's event loop",
                mark -> loop.scheduleAtFixedRate(mark, 0, 9, TimeUnit.DAYS));
        without("scheduleWithFixedDelay of Netty's event loop",
                mark -> loop.scheduleWithFixedDelay(mark, 0, 9, TimeUnit.DAYS));
        loop.shutdown();
        ThreadFactory wrapping = worker -> new Thread(() -> worker.run());
        nettyBorn("by itself", () -> group(type, int.class, 1));
        nettyBorn("by a factory that wraps", () -> group(type, ThreadFactory.class, wrapping));
        ExecutorService pool = Executors.newFixedThreadPool(1);
        nettyBorn("by a pool", () -> group(type, Executor.class, pool));
        pool.shutdown();
    }

    private static void nettyBorn(String how, Callable<ScheduledExecutorService> make)
            throws Exception {
        String name = "an event loop born in a request " + how;
        List<ScheduledExecutorService> born = new ArrayList<>();
        with(name, mark -> {
            born.add(make.call());
            born.get(0).execute(mark);
        });
        after(name, born.get(0), 1);
        born.get(0).shutdown();
    }

    private static ScheduledExecutorService group(Class<?> type, Class<?> kind, Object threads)
            throws Exception {
        return (ScheduledExecutorService) (kind == int.class ? type.getConstructor(kind)
                                                                       .newInstance(threads)
                                                             : type.getConstructor(int.class, kind)
                                                                       .newInstance(1, threads));
    }

    private static Runnable once(Runnable mark) {
        return mark::run;
    }

    private static void execute(String of, ExecutorService pool, int threads) throws Exception {
        with("execute a lambda " + of, pool::execute);
        with("execute an anonymous class " + of, mark -> pool.execute(new Runnable() {
            @Override
            public void run() {
                mark.run();
            }
        }));
        with("execute a named class " + of, mark -> pool.execute(new Named(mark, 0)));
        with("a task that throws " + of, mark -> pool.submit(() -> {
            mark.run();
            throw new IllegalStateException("on purpose");
        }));
        with("a task that hands over " + of, mark -> pool.submit(() -> pool.submit(mark)));
        after(of, pool, threads);
    }

    private static void queues() throws Exception {
        Watching watching = new Watching();
        List<Runnable> given = Collections.synchronizedList(new ArrayList<>());
        with("a pool that watches its tasks", mark -> {
            given.add(mark);
            watching.execute(mark);
        });
        withMany("a pool that watches named tasks", 1, mark -> {
            given.add(new Named(mark, 0));
            watching.execute(given.get(1));
        });
        watching.shutdown();
        watching.awaitTermination(LIMIT_S, TimeUnit.SECONDS);
        check("beforeExecute", given, watching.before);
        check("afterExecute", given, watching.after);

        ThreadPoolExecutor ranked =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new PriorityBlockingQueue<>());
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        withMany("a queue that compares", 3, mark -> {
            CountDownLatch go = new CountDownLatch(1);
            ranked.execute(new Named(() -> {
                await(go);
                mark.run();
            }, 0));
            ranked.execute(new Named(() -> {
                order.add(2);
                mark.run();
            }, 2));
            ranked.execute(new Named(() -> {
                order.add(1);
                mark.run();
            }, 1));
            go.countDown();
        });
        check("order of ranks", List.of(1, 2), order);
        ranked.shutdown();
        takenBack();
        ambiguous();
    }

    // Tasks that the application gets back are those that it gave.
    private static void takenBack() throws Exception {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(2));
        CountDownLatch go = new CountDownLatch(1);
        List<Runnable> refused = new ArrayList<>();
        pool.setRejectedExecutionHandler((task, of) -> refused.add(task));
        pool.execute(() -> await(go));
        Runnable first = () -> FAILURES.add("run though it was removed");
        Runnable second = () -> FAILURES.add("run though the pool was shut down");
        Runnable third = new Named(second, 0);
        inContext("tasks that are given back", () -> {
            pool.execute(first);
            check("remove", true, pool.remove(first));
            check("remove again", false, pool.remove(first));
            pool.execute(second);
            pool.execute(third);
            pool.execute(first);
            pool.execute(third);
        });
        check("refused", List.of(first, third), refused);
        check("shutdownNow", List.of(second, third), pool.shutdownNow());
        go.countDown();
        check("remove from a queue that casts", false, casting().remove(third));
        ThreadPoolExecutor direct =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new SynchronousQueue<>());
        CountDownLatch end = new CountDownLatch(1);
        direct.execute(() -> await(end));
        direct.setRejectedExecutionHandler(new ThreadPoolExecutor.CallerRunsPolicy());
        run("a task that its submitter runs", true, 1, direct::execute);
        run("a named task that its submitter runs", true, 1,
                mark -> direct.execute(new Named(mark, 0)));
        end.countDown();
        direct.shutdown();
    }

    // A pool of tasks of one class, whose queue casts what it is asked for.
    private static ThreadPoolExecutor casting() {
        return new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<Runnable>() {
                    private static final long serialVersionUID = 1;

                    @Override
                    public boolean remove(Object task) {
                        return super.remove((Named) task);
                    }
                });
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await(LIMIT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // of shutdownNow
        }
    }

    // One task object in two contexts: nobody knows which run is which.
    private static void ambiguous() throws Exception {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        CountDownLatch go = new CountDownLatch(1);
        pool.execute(() -> await(go));
        CountDownLatch marked = new CountDownLatch(4);
        Named task = new Named(() -> {
            mark("one object in two contexts", null);
            marked.countDown();
        }, 0);
        inContext("first of two", () -> pool.execute(task));
        inContext("second of two", () -> pool.execute(task));
        Named other = new Named(task.mark, 0);
        inContext("with and without", () -> pool.execute(other));
        pool.execute(other);
        go.countDown();
        await(marked);
        check("ambiguous tasks that ran", 0L, marked.getCount());
        CountDownLatch both = new CountDownLatch(1);
        pool.execute(() -> await(both));
        withMany("one object twice in one context", 2, mark -> {
            Named twice = new Named(mark, 0);
            pool.execute(twice);
            pool.execute(twice);
            both.countDown();
        });
        pool.shutdown();
    }

    // More tasks in a queue than there are places for, and each in a context of its own.
    private static void sizes() throws Exception {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        CountDownLatch go = new CountDownLatch(1);
        pool.execute(() -> await(go));
        int count = 2000;
        CountDownLatch marked = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            String name = "one of many " + i;
            String expected = areTasksIn ? name : null;
            inContext(name, () -> pool.execute(new Named(() -> {
                mark(name, expected);
                marked.countDown();
            }, 0)));
        }
        go.countDown();
        check("tasks of many that ran", true, marked.await(LIMIT_S, TimeUnit.SECONDS));
        pool.shutdown();
    }

    // --- Threads that live on after the request that happened to start them

    private static void workers() throws Exception {
        List<ExecutorService> pools = new ArrayList<>();
        ThreadFactory wrapping = worker -> new Thread(() -> worker.run());
        without("housekeeping of a library", mark -> {
            pools.add(Executors.newFixedThreadPool(1));
            pools.get(0).submit(new Housekeeper(mark));
        });
        after("of a worker born in a request", pools.get(0), 1);
        without("submit what drains a queue of many",
                mark -> pools.get(0).submit(new ConsumerWorkService(mark)));
        without("execute what drains a queue of many",
                mark -> pools.get(0).execute(new ConsumerWorkService(mark)));
        with("a factory that wraps workers", mark -> {
            pools.add(Executors.newFixedThreadPool(1, wrapping));
            pools.get(1).submit(mark);
        });
        after("of a factory that wraps", pools.get(1), 1);
        with("a ForkJoinPool born in a request", mark -> {
            pools.add(new ForkJoinPool(2));
            pools.get(2).submit(mark);
        });
        after("of a ForkJoinPool born in a request", pools.get(2), 2);
        for (ExecutorService pool : pools) {
            pool.shutdown();
        }
    }

    // --- CompletableFuture

    private static void stages() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        with("supplyAsync", mark -> CompletableFuture.supplyAsync(() -> {
            mark.run();
            return 1;
        }));
        with("runAsync", CompletableFuture::runAsync);
        with("runAsync on a pool", mark -> CompletableFuture.runAsync(mark, pool));
        with("delayedExecutor",
                mark
                -> CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS, pool).execute(mark));
        with("runAsync on a delayedExecutor",
                mark
                -> CompletableFuture.runAsync(
                        mark, CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS)));
        stage("thenApply", (stage, mark) -> stage.thenApply(x -> done(mark)));
        stage("thenApplyAsync", (stage, mark) -> stage.thenApplyAsync(x -> done(mark), pool));
        stage("thenAccept", (stage, mark) -> stage.thenAccept(x -> mark.run()));
        stage("thenRun", (stage, mark) -> stage.thenRun(mark));
        stage("thenRunAsync", (stage, mark) -> stage.thenRunAsync(mark));
        stage("whenComplete", (stage, mark) -> stage.whenComplete((x, e) -> mark.run()));
        stage("handle", (stage, mark) -> stage.handle((x, e) -> done(mark)));
        stage("thenCompose", (stage, mark) -> stage.thenCompose(x -> {
            mark.run();
            return CompletableFuture.completedStage(1);
        }));
        CompletableFuture<Integer> other = CompletableFuture.completedFuture(1);
        CompletableFuture<Integer> never = new CompletableFuture<>();
        stage("thenCombine", (stage, mark) -> stage.thenCombine(other, (x, y) -> done(mark)));
        stage("thenAcceptBoth", (stage, mark) -> stage.thenAcceptBoth(other, (x, y) -> mark.run()));
        stage("runAfterBoth", (stage, mark) -> stage.runAfterBoth(other, mark));
        stage("applyToEither", (stage, mark) -> stage.applyToEither(never, x -> done(mark)));
        stage("acceptEither", (stage, mark) -> stage.acceptEither(never, x -> mark.run()));
        stage("runAfterEither", (stage, mark) -> stage.runAfterEither(never, mark));
        failedStage("exceptionally", (stage, mark) -> stage.exceptionally(e -> done(mark)));
        failedStage("exceptionallyCompose", (stage, mark) -> stage.exceptionallyCompose(e -> {
            mark.run();
            return CompletableFuture.completedStage(1);
        }));
        with("orTimeout",
                mark
                -> new CompletableFuture<Integer>()
                           .orTimeout(1, TimeUnit.MILLISECONDS)
                           .whenComplete((x, e) -> mark.run()));
        run("a stage of one that is complete", true, 1, mark -> other.thenRun(mark));
        after("of stages", pool, 2);
        pool.shutdown();
    }

    private static int done(Runnable mark) {
        mark.run();
        return 1;
    }

    interface Stage {
        void add(CompletableFuture<Integer> stage, Runnable mark);
    }

    // Whoever registered the stage wins, and not who completes it.
    private static void stage(String name, Stage stage) throws Exception {
        CompletableFuture<Integer> first = new CompletableFuture<>();
        with(name, mark -> {
            stage.add(first, mark);
            complete("completes " + name, () -> first.complete(1));
        });
    }

    private static void failedStage(String name, Stage stage) throws Exception {
        CompletableFuture<Integer> first = new CompletableFuture<>();
        with(name, mark -> {
            stage.add(first, mark);
            complete("fails " + name,
                    () -> first.completeExceptionally(new Exception("on purpose")));
        });
    }

    private static void complete(String name, Runnable how) throws Exception {
        Thread thread = new Thread(() -> {
            try {
                inContext(name, () -> {
                    how.run();
                    mark(name, name);
                });
            } catch (Exception e) {
                FAILURES.add(name + ": " + e);
            }
        });
        thread.start();
        thread.join();
    }

    // --- ForkJoinPool

    private static final class Action extends RecursiveAction {
        private static final long serialVersionUID = 1;
        private final transient Runnable mark;
        private final int depth;

        Action(Runnable mark, int depth) {
            this.mark = mark;
            this.depth = depth;
        }

        @Override
        protected void compute() {
            if (depth == 0) {
                mark.run();
            } else {
                invokeAll(new Action(mark, depth - 1), new Action(mark, depth - 1));
            }
        }
    }

    private static void forks() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        with("ForkJoinPool.submit a Callable", mark -> pool.submit(callable(mark)));
        with("ForkJoinPool.submit a Runnable", mark -> pool.submit(mark));
        with("ForkJoinPool.submit a Runnable with a result", mark -> pool.submit(mark, 1));
        with("ForkJoinPool.execute a Runnable", pool::execute);
        withMany("ForkJoinPool.invokeAll", 2,
                mark -> pool.invokeAll(List.of(callable(mark), callable(mark))));
        with("ForkJoinPool.invokeAny", mark -> pool.invokeAny(List.of(callable(mark))));
        withMany("ForkJoinPool.submit a ForkJoinTask", 8, mark -> pool.submit(new Action(mark, 3)));
        withMany("ForkJoinPool.execute a ForkJoinTask", 8,
                mark -> pool.execute(new Action(mark, 3)));
        withMany("ForkJoinPool.invoke", 8, mark -> pool.invoke(new Action(mark, 3)));
        withMany("fork", 8, mark -> new Action(mark, 3).fork());
        with("an adapted task", mark -> pool.submit(ForkJoinTask.adapt(mark)));
        withMany("a parallel stream on a pool", 16,
                mark
                -> pool.submit(() -> IntStream.range(0, 16).parallel().forEach(i -> mark.run())));
        run("a parallel stream", areTasksIn, 16, mark -> {
            if (areTasksIn) {
                IntStream.range(0, 16).parallel().forEach(i -> mark.run());
            } else { // part of it would be on this thread
                IntStream.range(0, 16).forEach(i -> pool.execute(mark));
            }
        });
        without("fork what drains a queue of many", mark -> pool.execute(new Mailbox(mark)));
        after("of a ForkJoinPool", pool, 2);
        pool.shutdown();
    }

    // --- Threads and timers

    private static final class OwnThread extends Thread {
        private final Runnable mark;

        OwnThread(Runnable mark) {
            this.mark = mark;
        }

        @Override
        public void run() {
            mark.run();
        }
    }

    private static void threads() throws Exception {
        withThreads("new Thread", mark -> new Thread(mark).start());
        withThreads("a class that extends Thread", mark -> new OwnThread(mark).start());
        Timer timer = new Timer(true);
        withThreads("a Timer", mark -> timer.schedule(timerTask(mark), 1));
        without("a Timer with a period", mark -> timer.schedule(timerTask(mark), 1, 1L << 40));
        List<Timer> born = new ArrayList<>();
        withThreads("a Timer born in a request", mark -> {
            born.add(new Timer(true));
            born.get(0).schedule(timerTask(mark), 1);
        });
        CountDownLatch marked = new CountDownLatch(1);
        born.get(0).schedule(timerTask(() -> {
            mark("a Timer born in a request, after", null);
            marked.countDown();
        }),
                1);
        await(marked);
        libraries();
        many(timer);
        timer.cancel();
    }

    // Threads that live on, which libraries and the JDK start where they are first needed.
    private static void libraries() throws Exception {
        without("new Thread of a library's task",
                mark -> new Thread(new Housekeeper(mark)).start());
        without("new Thread of what drains a queue of many",
                mark -> new Thread(new ConsumerWorkService(mark)).start());
        without("a server of the JDK", mark -> {
            HttpServer server = HttpServer.create(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                mark.run();
                exchange.close();
            });
            server.start();
            try (Socket socket = new Socket(
                         server.getAddress().getAddress(), server.getAddress().getPort())) {
                socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(US_ASCII));
                socket.getInputStream().read(); // its end
            }
            server.stop(0);
        });
    }

    // Tasks that wait for long, or never run, leave those places that other tasks need.
    private static void many(Timer timer) throws Exception {
        int count = 3 << 14;
        long late = 1L << 40;
        List<TimerTask> cancelled = new ArrayList<>();
        inContext("many timers", () -> {
            for (int i = 0; i < count; i++) {
                timer.schedule(timerTask(() -> FAILURES.add("a timer too early")), late, late);
                TimerTask task = timerTask(() -> FAILURES.add("a cancelled timer"));
                timer.schedule(task, late);
                task.cancel();
                cancelled.add(task);
            }
        });
        ExecutorService pool = Executors.newFixedThreadPool(1);
        for (int i = 0; i < 16; i++) {
            with("a task beside many timers", mark -> pool.execute(new Named(mark, 0)));
        }
        check("cancelled timers", count, cancelled.size());
        pool.shutdown();
    }

    private static TimerTask timerTask(Runnable mark) {
        return new TimerTask() {
            @Override
            public void run() {
                mark.run();
            }
        };
    }

    // --- What a task does with contexts

    private static void values() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        ExecutorService other = Executors.newFixedThreadPool(1);
        with("a text of other characters \u20ac\ud83d\ude00, and longer than others",
                mark -> pool.submit(mark));
        String own = "a task with contexts of its own";
        CountDownLatch marked = new CountDownLatch(1);
        inContext("around " + own, () -> pool.submit(() -> {
            try {
                inContext(own, () -> {
                    mark(own, own);
                    other.submit(() -> mark(own, own)).get();
                });
            } catch (Exception e) {
                FAILURES.add(own + ": " + e);
            }
            marked.countDown();
        }));
        await(marked);
        inOne("around", ORDER, () -> pool.submit(() -> anew(other)).get());
        after("of values", pool, 1);
        pool.shutdown();
        other.shutdown();
    }

    // A task that sets the only context that it brings anew, and hands over another task.
    private static Object anew(ExecutorService other) throws Exception {
        String own = "a context that a task sets anew";
        inOne(own, ORDER, () -> other.submit(() -> mark(own, own, ORDER)).get());
        return null;
    }

    // A task that brings contexts of one kind, on a thread that has others of all kinds.
    private static void fewer(String kind) throws Exception {
        String name = "a task with a context of the kind " + kind + " alone";
        CompletableFuture<Integer> first = new CompletableFuture<>();
        inOne(name, kind, () -> first.thenRun(() -> mark(name, name, kind)));
        complete("runs " + name, () -> first.complete(1));
    }

    // Does the work after a fiber that had the context of this thread has gone to another one,
    // where it is in another context.
    private static void afterFiber(Work work) throws Exception {
        RecordingContextFiber fiber = RecordingContextFiber.of(RecordingContext.snapshot());
        try (RecordingContextFiber.Mount here = fiber.mount()) {
            RecordingContext.where(ENDPOINT, "in the fiber").build().close();
        }
        CountDownLatch isInside = new CountDownLatch(1);
        CountDownLatch isDone = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            try (RecordingContextFiber.Mount there = fiber.mount();
                    RecordingContext c = RecordingContext.where(ENDPOINT, "elsewhere").build()) {
                isInside.countDown();
                await(isDone);
            }
        });
        other.start();
        await(isInside);
        work.run();
        isDone.countDown();
        other.join();
    }

    private static void inOne(String name, String kind, Work work) throws Exception {
        if (kind.equals(RECORDING)) {
            try (RecordingContext c = RecordingContext.where(ENDPOINT, name).build()) {
                work.run();
            }
        } else if (kind.equals(ORDER)) {
            Marks.Order order = new Marks.Order();
            order.text = name;
            order.set();
            work.run();
            order.unset();
        } else {
            ACCESS.set(new Request(name, name.length()));
            work.run();
            ACCESS.unset();
        }
    }
}
