// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.Loupe;
import dev.loupe.jfr.ContextAware;
import dev.loupe.jfr.Contextual;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.consumer.RecordingStream;

/**
 * A thread that is busy inside a context until JFR has sampled it there a few times, and then
 * outside of it.
 */
public final class SampledE2E {
    private static final int SAMPLES = 5;
    private static final long LIMIT_NANOS = 60_000_000_000L;

    private static volatile long sink;

    /**
     * Contextual as a whole; and in a context style it shows contexts, as not all types do then.
     */
    @Contextual
    @ContextAware
    @Name("e2e.Whole")
    @StackTrace(false)
    static final class Whole extends Event {
        @Name("number") int number;

        @Name("text") String text;
    }

    /** Contextual by the collector's policy alone. */
    @Name("e2e.Stage")
    @StackTrace(false)
    static final class Stage extends Event {
        @Name("step") long step;
    }

    private SampledE2E() {}

    @SuppressWarnings("deprecation") // Thread.threadId() is there from JDK 19 on
    public static void main(String[] args) throws Exception {
        AtomicInteger samples = new AtomicInteger();
        CountDownLatch isFollowing = new CountDownLatch(1);
        long self = Thread.currentThread().getId();
        if (!Loupe.registerContext(Marks.Order.class) || !Loupe.registerContext(Marks.Span.class)) {
            throw new IllegalStateException("context types were not registered");
        }
        try (RecordingStream stream = new RecordingStream()) {
            stream.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
            stream.onEvent("jdk.ExecutionSample", event -> {
                if (event.getThread("sampledThread").getJavaThreadId() == self) {
                    samples.incrementAndGet();
                }
            });
            stream.onFlush(isFollowing::countDown);
            stream.startAsync();
            isFollowing.await();
            Marks.Order order = new Marks.Order();
            order.number = 4711;
            order.text = "sampled";
            order.amount = 1.5;
            order.set();
            Marks.Span span = new Marks.Span();
            span.id = 12;
            span.name = "busy";
            span.set();
            Whole whole = new Whole();
            whole.number = -1;
            whole.text = "all of it";
            whole.begin();
            Stage stage = new Stage();
            stage.step = 3;
            stage.begin();
            beBusyUntil(samples, SAMPLES);
            Ticks.between();
            stage.commit();
            whole.commit();
            span.unset();
            order.unset();
            Ticks.between();
            beBusyUntil(samples, samples.get() + SAMPLES);
        }
        System.out.println("done");
    }

    private static void beBusyUntil(AtomicInteger samples, int count) {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        for (long i = 0; samples.get() < count; i++) {
            sink += Long.numberOfTrailingZeros(i ^ sink);
            if ((i & 0xfffff) == 0 && System.nanoTime() > deadline) {
                throw new IllegalStateException("no " + count + " samples but " + samples.get());
            }
        }
    }
}
