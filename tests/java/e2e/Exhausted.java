// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.Loupe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * Numbered events, each in a context with its number, while there is memory, while there is none,
 * and when there is some again. The thread that took it all dies of it.
 *
 * <pre>Exhausted EVENTS STOP_FILE</pre>
 *
 * Prints "exhausted", once it is over "released", and in the end "ticks LAST". There are EVENTS
 * events, a thousand a second, while there is no memory.
 */
public final class Exhausted {
    private static final long PAUSE_NANOS = 1_000_000;

    private static final Marks.Order ORDER = new Marks.Order();
    private static volatile boolean isExhausted;
    private static volatile boolean isEnough;

    private Exhausted() {}

    public static void main(String[] args) throws Exception {
        if (!Loupe.registerContext(Marks.Order.class)) {
            throw new AssertionError("the type is not registered");
        }
        long seq = 0;
        Marks.Tick[] ready = new Marks.Tick[Integer.parseInt(args[0])];
        for (int i = 0; i < ready.length; i++) {
            ready[i] = new Marks.Tick();
            tick(new Marks.Tick(), ++seq);
        }
        Thread hog = new Thread(Exhausted::exhaust, "hog");
        hog.start();
        while (!isExhausted) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        for (Marks.Tick tick : ready) {
            tick(tick, ++seq);
        }
        isEnough = true;
        hog.join();
        System.out.println("released");
        while (!Files.exists(Path.of(args[1]))) {
            tick(new Marks.Tick(), ++seq);
        }
        System.out.println("ticks " + seq);
    }

    private static void exhaust() {
        Hog hog = new Hog();
        OutOfMemoryError error = hog.eat();
        isExhausted = true;
        while (!isEnough) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        hog.free();
        throw error;
    }

    private static void tick(Marks.Tick tick, long seq) {
        Ticks.between();
        ORDER.number = seq;
        ORDER.set();
        Ticks.between();
        tick.seq = seq;
        tick.commit();
        Ticks.between();
        ORDER.unset();
        Ticks.between();
        LockSupport.parkNanos(PAUSE_NANOS);
    }
}
