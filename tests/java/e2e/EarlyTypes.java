// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import com.sun.management.ThreadMXBean;
import dev.loupe.ContextType;
import dev.loupe.Loupe;
import java.lang.management.ManagementFactory;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.file.Files;
import java.nio.file.Path;
import jdk.jfr.Name;

/**
 * Context types that are registered once, before there is an agent.
 *
 * <pre>EarlyTypes STOP_FILE</pre>
 *
 * Registers the types, one that cannot be one and the copies of some class loaders that then go,
 * and prints "ready" and how many of the loaders were kept. Then each round begins an order with
 * its number, in it a span, and commits a tick, until the file is there. Prints "ticks LAST from
 * FIRST": the first round at whose beginning the type was active.
 */
public final class EarlyTypes {
    private static final int LOADERS = 5;
    private static final int COLLECTIONS_MAX = 200;
    private static final int AGAIN = 100_000;

    private EarlyTypes() {}

    /** Cannot be registered, which nobody sees before the agent is there. */
    public abstract static class Unfit extends ContextType { @Name("number") int number; }

    /** What a class loader has a copy of. */
    @Name("e2e.Gone")
    public static final class Gone extends ContextType {
        @Name("number") int number;

        public static void register() {
            Loupe.registerContext(Gone.class);
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 2; i++) { // once more changes nothing
            expect(!Loupe.registerContext(Marks.Order.class));
            expect(!Loupe.registerContext(Marks.Span.class));
        }
        expectNothingAllocated();
        expect(!Loupe.registerContext(Unfit.class));
        System.out.println("ready " + registerInLoaders());
        Marks.Order order = new Marks.Order(); // made before the agent comes
        long seq = 0;
        long first = -1;
        while (!Files.exists(Path.of(args[0]))) {
            seq++;
            if (first < 0 && order.isActive()) {
                first = seq;
            }
            round(order, seq);
            Thread.sleep(1);
        }
        System.out.println("ticks " + seq + " from " + first);
    }

    private static void round(Marks.Order order, long seq) {
        Marks.Span span = new Marks.Span();
        order.number = seq;
        span.id = (int) seq;
        Ticks.between();
        order.set();
        Ticks.between();
        span.set();
        Ticks.between();
        Marks.Tick tick = new Marks.Tick();
        tick.seq = seq;
        tick.commit();
        Ticks.between();
        span.unset();
        Ticks.between();
        order.unset();
        Ticks.between();
    }

    // A framework may register a type with each request. Less than a byte each is nothing.
    private static void expectNothingAllocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < AGAIN; i++) {
            Loupe.registerContext(Marks.Span.class);
        }
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        if (bytes > AGAIN) {
            throw new AssertionError("registering a type again allocates: " + bytes);
        }
    }

    // Returns how many of the loaders are kept by it.
    private static int registerInLoaders() throws Exception {
        ReferenceQueue<Object> collected = new ReferenceQueue<>();
        int kept = 0;
        for (int i = 0; i < LOADERS; i++) {
            ClassLoader loader = new CopyLoader("EarlyTypes$Gone");
            loader.loadClass(Gone.class.getName()).getMethod("register").invoke(null);
            Reference<?> waiting = new PhantomReference<>(loader, collected);
            loader = null;
            kept += isCollected(waiting, collected) ? 0 : 1;
        }
        return kept;
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

    private static void expect(boolean condition) {
        if (!condition) {
            throw new AssertionError();
        }
    }
}
