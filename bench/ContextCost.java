// SPDX-License-Identifier: Apache-2.0

import dev.loupe.ContextType;
import dev.loupe.Loupe;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * What a context costs the thread that sets it, beside what a JFR event and two clock reads cost in
 * the same run:
 *
 * <pre>java -agentpath:build/release/lib/libloupe.so=log=error -cp build/release/lib/loupe.jar
 * bench/ContextCost.java</pre>
 *
 * It measures bursts that fit into a ring and rests between them, as the agent needs time to drain.
 * Printed are the median and the quartiles over the bursts, in ns for a begin and an end.
 */
public final class ContextCost {
    private static final int PAIRS = 1000; // of a burst
    private static final int BURSTS = 400;
    private static final int BURSTS_TO_WARM_UP = 200;
    private static final long REST_NANOS = 12_000_000;

    /** Two texts and a number. */
    @Name("bench.Texts")
    static final class Texts extends ContextType {
        @Name("trace") String trace;
        @Name("span") String span;
        @Name("number") long number;
    }

    /** A number. */
    @Name("bench.Number")
    static final class Number extends ContextType {
        @Name("number") long number;
    }

    @Name("bench.TextsEvent")
    @StackTrace(false)
    static final class TextsEvent extends Event {
        String trace;
        String span;
        long number;
    }

    @Name("bench.NumberEvent")
    @StackTrace(false)
    static final class NumberEvent extends Event {
        long number;
    }

    private interface Burst {
        void run(String[] traces, String[] spans);
    }

    private static volatile long sink;

    private ContextCost() {}

    public static void main(String[] args) {
        if (!Loupe.registerContext(Texts.class) || !Loupe.registerContext(Number.class)) {
            throw new IllegalStateException("the agent is not there");
        }
        String[] traces = new String[PAIRS];
        String[] spans = new String[PAIRS];
        for (int i = 0; i < PAIRS; i++) {
            traces[i] = String.format("%032x", i * 0x9e3779b97f4a7c15L);
            spans[i] = String.format("%016x", i * 0x9e3779b97f4a7c15L);
        }
        Object[][] all = {
                {"two clock reads", (Burst) ContextCost::clocks},
                {"context, a number", (Burst) ContextCost::numbers},
                {"JFR event, a number", (Burst) ContextCost::numberEvents},
                {"context, 32 + 16 characters and a number", (Burst) ContextCost::texts},
                {"JFR event, 32 + 16 characters and a number", (Burst) ContextCost::textEvents},
        };
        double[][] nanos = new double[all.length][BURSTS];
        for (int burst = -BURSTS_TO_WARM_UP; burst < BURSTS; burst++) {
            for (int i = 0; i < all.length; i++) {
                LockSupport.parkNanos(REST_NANOS);
                long begin = System.nanoTime();
                ((Burst) all[i][1]).run(traces, spans);
                long end = System.nanoTime();
                if (burst >= 0) {
                    nanos[i][burst] = (double) (end - begin) / PAIRS;
                }
            }
        }
        System.out.println("JDK " + Runtime.version());
        for (int i = 0; i < all.length; i++) {
            Arrays.sort(nanos[i]);
            System.out.printf("%-44s %6.1f  (%.1f to %.1f)%n", all[i][0], nanos[i][BURSTS / 2],
                    nanos[i][BURSTS / 4], nanos[i][BURSTS * 3 / 4]);
        }
    }

    private static void clocks(String[] traces, String[] spans) {
        long sum = 0;
        for (int i = 0; i < PAIRS; i++) {
            sum += System.nanoTime();
            sum ^= System.nanoTime();
        }
        sink = sum;
    }

    private static void numbers(String[] traces, String[] spans) {
        Number context = new Number();
        for (int i = 0; i < PAIRS; i++) {
            context.number = i;
            context.set();
            context.unset();
        }
    }

    private static void numberEvents(String[] traces, String[] spans) {
        for (int i = 0; i < PAIRS; i++) {
            NumberEvent event = new NumberEvent();
            event.begin();
            event.number = i;
            event.commit();
        }
    }

    private static void texts(String[] traces, String[] spans) {
        Texts context = new Texts();
        for (int i = 0; i < PAIRS; i++) {
            context.trace = traces[i];
            context.span = spans[i];
            context.number = i;
            context.set();
            context.unset();
        }
    }

    private static void textEvents(String[] traces, String[] spans) {
        for (int i = 0; i < PAIRS; i++) {
            TextsEvent event = new TextsEvent();
            event.begin();
            event.trace = traces[i];
            event.span = spans[i];
            event.number = i;
            event.commit();
        }
    }
}
