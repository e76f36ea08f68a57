// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.Loupe;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.file.Path;
import jdk.jfr.Recording;

/**
 * Numbered events, each in a context with its number, whose classes come and go: a class loader
 * after the other defines its own copies, uses them for a while, and is collected.
 *
 * <pre>Unload RAW.jfr</pre>
 *
 * Writes a recording of its own, and prints "ticks LAST", and how many loaders were not collected.
 */
public final class Unload {
    private static final int ROUNDS = 20;
    private static final int COLLECTIONS_MAX = 200;

    private Unload() {}

    /** What each loader has a copy of. */
    public static final class Round {
        private static final int EVENTS = 100;

        private Round() {}

        public static void run(long seq) {
            if (!Loupe.registerContext(Marks.Order.class)) {
                throw new AssertionError("the type is not registered");
            }
            for (long i = seq + 1; i <= seq + EVENTS; i++) {
                Marks.Order order = new Marks.Order();
                order.number = i;
                Ticks.between();
                order.set();
                Ticks.between();
                Marks.Tick tick = new Marks.Tick();
                tick.seq = i;
                tick.commit();
                Ticks.between();
                order.unset();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ReferenceQueue<Object> collected = new ReferenceQueue<>();
        long seq = 0;
        int kept = 0;
        try (Recording raw = new Recording()) {
            raw.start();
            for (int round = 0; round < ROUNDS; round++) {
                ClassLoader loader = new CopyLoader("Marks", "Ticks", "Unload$Round");
                loader.loadClass(Round.class.getName())
                        .getMethod("run", long.class)
                        .invoke(null, seq);
                seq += Round.EVENTS;
                Reference<?> waiting = new PhantomReference<>(loader, collected);
                loader = null;
                kept += isCollected(waiting, collected) ? 0 : 1;
            }
            raw.dump(Path.of(args[0]));
        }
        System.out.println(kept + " are kept");
        System.out.println("ticks " + seq);
    }

    private static boolean isCollected(Reference<?> waiting, ReferenceQueue<Object> collected)
            throws InterruptedException {
        for (int i = 0; i < COLLECTIONS_MAX; i++) {
            System.gc();
            if (collected.remove(50) == waiting) {
                return true;
            }
        }
        return false;
    }
}
