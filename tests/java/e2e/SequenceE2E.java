// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.Loupe;
import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * Numbered events and contexts at a steady rate: tick N has sequence number N, every tenth is in a
 * context whose id is N, and in the middle between those a context with the id -N is around
 * nothing.
 *
 * <pre>SequenceE2E TICKS_PER_SECOND (for:MILLISECONDS | until:FILE)</pre>
 *
 * It goes on for the time given or until the file is there, prints "ready" after the first tick,
 * "at N" every thousand ticks and at the end "ticks LAST from FIRST_CONTEXT": contexts are set from
 * the moment that the type could be registered. Around every tenth tick there is a
 * RecordingContext, too.
 */
public final class SequenceE2E {
    private static final long CYCLE_NANOS = 10_000_000;

    private static final RecordingContextKey SEQ = RecordingContextKey.forName("seq");

    private final Marks.Order order = new Marks.Order();
    private long seq;
    private long firstContext = -1;

    private SequenceE2E() {}

    public static void main(String[] args) {
        long perCycle = Math.max(1, Long.parseLong(args[0]) * CYCLE_NANOS / 1_000_000_000);
        boolean isTimed = args[1].startsWith("for:");
        String limit = args[1].substring(args[1].indexOf(':') + 1);
        long endNanos = isTimed ? System.nanoTime() + Long.parseLong(limit) * 1_000_000 : 0;
        SequenceE2E test = new SequenceE2E();
        long next = System.nanoTime();
        do {
            for (long i = 0; i < perCycle; i++) {
                test.tick();
            }
            next += CYCLE_NANOS;
            LockSupport.parkNanos(next - System.nanoTime());
        } while (isTimed ? System.nanoTime() < endNanos : !Files.exists(Path.of(limit)));
        System.out.println("ticks " + test.seq + " from " + test.firstContext);
    }

    private void tick() {
        seq++;
        if (firstContext < 0 && seq % 10 == 1 && Loupe.registerContext(Marks.Order.class)) {
            firstContext = seq;
        }
        boolean isInContext = seq % 10 == 0;
        RecordingContext recording = null;
        if (isInContext) {
            recording = RecordingContext.where(SEQ, Long.toString(seq)).build();
            set(seq);
            if (firstContext > 0 && !SEQ.isBound()) {
                throw new AssertionError("a key is not bound though there is an agent");
            }
        } else if (seq % 10 == 5) {
            set(-seq);
            Ticks.between();
            order.unset();
            Ticks.between();
        }
        Marks.Tick tick = new Marks.Tick();
        tick.seq = seq;
        tick.commit();
        if (isInContext) {
            Ticks.between();
            order.unset();
            Ticks.between();
            recording.close();
            Ticks.between();
            if (SEQ.isBound()) {
                throw new AssertionError("a key is bound though nothing is installed");
            }
        }
        if (seq == 1) {
            System.out.println("ready");
        } else if (seq % 1000 == 0) {
            System.out.println("at " + seq);
        }
    }

    private void set(long id) {
        Ticks.between();
        order.number = id;
        order.text = "order";
        order.set();
        Ticks.between();
    }
}
