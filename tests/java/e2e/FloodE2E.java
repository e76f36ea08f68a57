// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.Loupe;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * As many contexts and events as a thread each can make, and then a few until it is told to end.
 *
 * <pre>FloodE2E CONTEXTS EVENTS END</pre>
 *
 * Each of the contexts has a number, and every thousandth a tick with this number. The events are
 * marks, outside of contexts, with 500 characters of text each. Then it prints "flooded", goes on
 * with contexts until there is a file END, and prints "over" and how many they were.
 */
public final class FloodE2E {
    private static final int TICK_EVERY = 1000;
    private static final int AFTERWARDS_AT_ONCE = 100;
    private static final int AFTERWARDS_EVERY_MS = 20;

    private FloodE2E() {}

    public static void main(String[] args) throws InterruptedException {
        int contexts = Integer.parseInt(args[0]);
        int events = Integer.parseInt(args[1]);
        Path end = Path.of(args[2]);
        if (!Loupe.registerContext(Marks.Order.class)) {
            throw new AssertionError("the type is not registered");
        }
        Thread other = new Thread(() -> makeEvents(events));
        other.start();
        makeContexts(0, contexts);
        other.join();
        System.out.println("flooded");
        while (!Files.exists(end)) {
            Thread.sleep(AFTERWARDS_EVERY_MS);
            makeContexts(contexts, AFTERWARDS_AT_ONCE);
            contexts += AFTERWARDS_AT_ONCE;
        }
        System.out.println("over " + contexts);
    }

    private static void makeContexts(int first, int count) {
        Marks.Order order = new Marks.Order();
        for (int i = first; i < first + count; i++) {
            order.number = i;
            order.set();
            if (i % TICK_EVERY == 0) {
                Marks.Tick tick = new Marks.Tick();
                tick.seq = i;
                tick.commit();
            }
            order.unset();
        }
    }

    private static void makeEvents(int count) {
        String text = "0123456789".repeat(50);
        for (int i = 0; i < count; i++) {
            Marks.Mark mark = new Marks.Mark();
            mark.seq = i;
            mark.text = text;
            mark.commit();
        }
    }
}
