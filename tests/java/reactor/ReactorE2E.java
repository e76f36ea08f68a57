// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import dev.loupe.examples.ReactiveCheckout;
import dev.loupe.micrometer.RecordingContextAccessor;
import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Contexts by Micrometer's context propagation, and in chains of Reactor's. Each event says which
 * context it has to be in.
 */
final class ReactorE2E {
    private static final RecordingContextKey ID = RecordingContextKey.forName("id");
    private static final RecordingContextKey STEP = RecordingContextKey.forName("step");
    private static final int REQUESTS = 40;
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private ReactorE2E() {}

    /** An event that says which entries its context has to have, joined by commas. */
    @Name("e2e.Work")
    @StackTrace(false)
    static final class Work extends Event {
        String expected;
    }

    static void work(String expected) {
        Work work = new Work();
        work.expected = expected;
        work.commit();
    }

    static void run() throws Exception {
        micrometer();
        Hooks.enableAutomaticContextPropagation();
        work("");
        requests();
        captured();
        queued();
        checkout();
        outside();
    }

    private static RecordingContext open(RecordingContextKey key, String value) {
        return RecordingContext.where(key, value).build();
    }

    // --- Micrometer's scopes

    private static ContextSnapshot capture(String id) {
        try (RecordingContext context = open(ID, id)) {
            return ContextSnapshotFactory.builder().build().captureAll();
        }
    }

    private static void micrometer() throws Exception {
        ContextSnapshot a = capture("a");
        ContextSnapshot b = capture("b");
        ContextSnapshot none =
                ContextSnapshotFactory.builder().clearMissing(true).build().captureAll();
        onOtherThreads(a, b);
        try (ContextSnapshot.Scope outer = a.setThreadLocals()) {
            work("id=a");
            try (ContextSnapshot.Scope inner = b.setThreadLocals()) {
                work("id=b");
            }
            work("id=a");
            try (ContextSnapshot.Scope same = a.setThreadLocals()) {
                work("id=a");
            }
            work("id=a");
            mixed(b, "id=a,step=own");
            work("id=a");
            try (ContextSnapshot.Scope cleared = none.setThreadLocals()) {
                work("");
                try (ContextSnapshot.Scope inner = b.setThreadLocals()) {
                    work("id=b");
                }
                work("");
            }
            work("id=a");
        }
        work("");
        mixed(b, "step=own");
        work("");
        unbalanced(a, b);
        leftOpen(a);
        work("");
    }

    // Contexts of both ways in each other.
    private static void mixed(ContextSnapshot other, String expected) {
        try (RecordingContext own = open(STEP, "own")) {
            work(expected);
            try (ContextSnapshot.Scope scope = other.setThreadLocals()) {
                work("id=b");
                try (RecordingContext inner = open(STEP, "inner")) {
                    work("id=b,step=inner");
                }
                work("id=b");
            }
            work(expected);
        }
    }

    // As Reactor's queues do: of several scopes the last alone is closed, and what is around.
    private static void unbalanced(ContextSnapshot a, ContextSnapshot b) {
        ContextSnapshot none =
                ContextSnapshotFactory.builder().clearMissing(true).build().captureAll();
        for (int i = 0; i < 3; i++) {
            ContextSnapshot.Scope around = none.setThreadLocals();
            a.setThreadLocals();
            work("id=a");
            b.setThreadLocals();
            work("id=b");
            ContextSnapshot.Scope last = a.setThreadLocals();
            work("id=a");
            last.close();
            work("id=b");
            around.close();
            work("");
        }
    }

    // A context that nobody closes in its scope does not stay on the thread.
    private static void leftOpen(ContextSnapshot a) {
        ContextSnapshot.Scope scope = a.setThreadLocals();
        RecordingContext left = open(STEP, "left");
        work("id=a,step=left");
        scope.close();
        work("");
        left.close();
        work("");
    }

    private static void onOtherThreads(ContextSnapshot a, ContextSnapshot b) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        thread.submit(a.wrap(() -> work("id=a"))).get();
        thread.submit(() -> work("")).get();
        thread.submit(b.wrap(() -> mixed(b, "id=b,step=own"))).get();
        thread.submit(() -> work("")).get();
        ExecutorService wrapped = ContextExecutorService.wrap(
                thread, () -> ContextSnapshotFactory.builder().build().captureAll());
        try (RecordingContext context = open(ID, "caller")) {
            wrapped.submit(() -> work("id=caller")).get();
            Runnable task = new ContextPropagatingTaskDecorator().decorate(() -> work("id=caller"));
            thread.submit(task).get();
        }
        thread.submit(() -> work("")).get();
        thread.shutdown();
    }

    // --- Reactor's chains

    private static void requests() {
        List<Mono<Void>> all =
                IntStream.range(0, REQUESTS).mapToObj(i -> request("r" + i).then()).toList();
        Flux.merge(Flux.fromIterable(all), REQUESTS).blockLast(LIMIT);
        work("");
    }

    private static Flux<String> request(String id) {
        String mine = "id=" + id;
        RecordingContext.Snapshot snapshot = RecordingContext.where(ID, id).snapshot();
        Mono<String> begun = Mono.fromCallable(() -> {
            work(mine);
            return mine;
        });
        return begun.publishOn(Schedulers.parallel())
                .doOnNext(ReactorE2E::work)
                .delayElement(SHORT)
                .map(ReactorE2E::inner)
                .flatMap(x -> blocking(mine).subscribeOn(Schedulers.boundedElastic()))
                .doOnNext(ReactorE2E::work)
                .flatMap(x -> failing(mine))
                .flatMapMany(x -> several(mine))
                .flatMap(x -> step(mine), 2)
                .doOnNext(ReactorE2E::work)
                .doFinally(signal -> work(mine))
                .contextWrite(c -> c.put(RecordingContextAccessor.KEY, snapshot))
                .doOnNext(x -> work(""))
                .doOnComplete(() -> work(""));
    }

    private static String inner(String mine) {
        try (RecordingContext context = open(STEP, "inner")) {
            work(mine + ",step=inner");
        }
        work(mine);
        return mine;
    }

    private static Mono<String> blocking(String mine) {
        return Mono.fromCallable(() -> {
            work(mine);
            return inner(mine);
        });
    }

    private static Mono<String> failing(String mine) {
        List<Integer> tries = new ArrayList<>();
        return Mono.delay(SHORT)
                .map(x -> {
                    work(mine);
                    tries.add(1);
                    if (tries.size() < 3) {
                        throw new IllegalStateException("on purpose");
                    }
                    return mine;
                })
                .retry(3)
                .timeout(LIMIT);
    }

    private static Flux<String> several(String mine) {
        return Flux.range(0, 4)
                .parallel(2)
                .runOn(Schedulers.parallel())
                .map(i -> mine)
                .doOnNext(ReactorE2E::work)
                .sequential()
                .mergeWith(Flux.interval(SHORT).take(2).map(i -> mine))
                .publishOn(Schedulers.parallel(), 1)
                .doOnNext(ReactorE2E::work);
    }

    // A context in the context, for a part of the chain.
    private static Mono<String> step(String mine) {
        return Mono.delay(SHORT)
                .doOnNext(x -> work(mine + ",step=part"))
                .contextWrite(c
                        -> c.put(RecordingContextAccessor.KEY,
                                part(c.get(RecordingContextAccessor.KEY))))
                .map(x -> mine)
                .doOnNext(ReactorE2E::work);
    }

    private static RecordingContext.Snapshot part(RecordingContext.Snapshot whole) {
        try (RecordingContext.Activation activation = whole.activate()) {
            return RecordingContext.where(STEP, "part").snapshot();
        }
    }

    // --- The context of who subscribes

    private static void captured() {
        Mono<String> chain = Mono.delay(SHORT).map(x -> "id=caller").doOnNext(ReactorE2E::work);
        try (RecordingContext context = open(ID, "caller")) {
            chain.block(LIMIT);
            work("id=caller");
        }
        work("");
        Sinks.One<String> done = Sinks.one();
        try (RecordingContext context = open(ID, "caller")) {
            chain.contextCapture().subscribe(done::tryEmitValue);
            work("id=caller");
        }
        done.asMono().block(LIMIT);
        work("");
    }

    // What other threads, or others on this one, have put into a queue is read in the reader's
    // context.
    private static void queued() {
        Scheduler scheduler = Schedulers.newSingle("queued");
        Sinks.Many<String> sink = Sinks.many().unicast().onBackpressureBuffer();
        for (String id : List.of("a", "b", "a", "c")) {
            try (RecordingContext context = open(ID, id)) {
                sink.tryEmitNext(id);
            }
        }
        sink.tryEmitComplete();
        RecordingContext.Snapshot reader = RecordingContext.where(ID, "reader").snapshot();
        sink.asFlux()
                .doOnNext(x -> work("id=reader"))
                .publishOn(scheduler)
                .doOnNext(x -> work("id=reader"))
                .contextWrite(c -> c.put(RecordingContextAccessor.KEY, reader))
                .doOnNext(x -> work(""))
                .blockLast(LIMIT);
        work("");
        Mono.fromRunnable(() -> work("")).subscribeOn(scheduler).block(LIMIT);
        scheduler.dispose();
    }

    private static void checkout() {
        List<String> served = new ArrayList<>();
        ReactiveCheckout
                .checkout(expected -> {
                    work(expected);
                    served.add(expected);
                })
                .block(LIMIT);
        if (served.size() != 3) {
            throw new AssertionError("the example calls " + served);
        }
    }

    // No context is on the threads of the pools any more.
    private static void outside() {
        for (Scheduler scheduler : List.of(Schedulers.parallel(), Schedulers.boundedElastic())) {
            for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
                Mono.fromRunnable(() -> work("")).subscribeOn(scheduler).block(LIMIT);
            }
        }
    }
}
