// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.examples.ScopedContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.StructuredTaskScope;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Name;

/**
 * Events inside and outside the extent of scoped values, which are contexts. For each the program
 * writes down which value it saw.
 *
 * <pre>ScopedE2E JOURNAL</pre>
 */
public final class ScopedE2E {
    private static final int ROUNDS = 30;

    @Name("e2e.Request")
    record Request(@Name("id") long id, @Name("endpoint") String endpoint) {}

    private static final ScopedValue<Request> REQUEST = ScopedValue.newInstance();
    private static final ScopedContext<Request> CONTEXT =
            new ScopedContext<>(REQUEST, Request.class);

    private static final AtomicLong SEQUENCE = new AtomicLong();
    private static final List<Journal> JOURNALS = Collections.synchronizedList(new ArrayList<>());

    private ScopedE2E() {}

    public static void main(String[] args) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread.Builder builder = i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
            threads.add(builder.start(ScopedE2E::work));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        Journal.write(Path.of(args[0]), JOURNALS);
    }

    private static Request request() {
        long id = SEQUENCE.incrementAndGet();
        return new Request(id, "/" + id);
    }

    private static void work() {
        Journal journal = new Journal();
        JOURNALS.add(journal);
        for (int round = 0; round < ROUNDS; round++) {
            mark(journal);
            Request outer = request();
            String result = CONTEXT.call(outer, () -> {
                mark(journal);
                CONTEXT.run(request(), () -> mark(journal));
                mark(journal); // in the outer one again
                fail(journal);
                mark(journal);
                fork();
                return outer.endpoint();
            });
            if (!result.equals(outer.endpoint())) {
                throw new AssertionError(result);
            }
            mark(journal);
        }
    }

    private static void fail(Journal journal) {
        RuntimeException failure = new RuntimeException();
        try {
            CONTEXT.run(request(), () -> {
                mark(journal);
                throw failure;
            });
            throw new AssertionError("an exception is lost");
        } catch (RuntimeException e) {
            if (e != failure) {
                throw e;
            }
        }
    }

    private static void fork() {
        Callable<Long> task = CONTEXT.inherit(() -> {
            Journal journal = new Journal();
            JOURNALS.add(journal);
            mark(journal);
            CONTEXT.run(request(), () -> mark(journal));
            mark(journal);
            return REQUEST.get().id();
        });
        try (var scope = StructuredTaskScope.<Long>open()) {
            var first = scope.fork(task);
            var second = scope.fork(task);
            scope.join();
            if (first.get() != REQUEST.get().id() || !first.get().equals(second.get())) {
                throw new AssertionError("another value in a fork");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // EVENT thread number id endpoint, null for none.
    private static void mark(Journal journal) {
        Marks.Mark mark = new Marks.Mark();
        mark.seq = SEQUENCE.incrementAndGet();
        Ticks.between();
        mark.commit();
        Ticks.between();
        Request seen = REQUEST.isBound() ? REQUEST.get() : null;
        journal.add("EVENT", Thread.currentThread().threadId(), mark.seq,
                seen == null ? null : seen.id(), seen == null ? null : seen.endpoint());
    }
}
