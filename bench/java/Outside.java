// SPDX-License-Identifier: Apache-2.0

import dev.loupe.ContextType;
import dev.loupe.Loupe;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Events of a service of which one task in a hundred is a request with a context, where the policy
 * wants them in contexts only, and what an event costs. Each task commits 20 events. The last line
 * is the processor time of its thread for an event.
 *
 * <pre>
 * loupe collect --policy-dir DIR   # DIR/default.jfc: bench.Step with select if-context
 * javac -cp build/release/lib/loupe.jar -d DIR bench/java/Outside.java
 * java -agentpath:build/release/lib/libloupe.so=collector=tcp://127.0.0.1:7411 \
 *   -cp build/release/lib/loupe.jar:DIR Outside TASKS
 * </pre>
 */
public final class Outside {
    private static final int EVERY = 100;
    private static final int EVENTS = 20;
    private static final int WARM_MILLIS = 5000; // the JVM gets the policy, and compiles

    @Name("bench.Order")
    static final class Order extends ContextType {
        @Name("number") public long number;
    }

    @Name("bench.Step")
    @StackTrace(false)
    static final class Step extends Event {
        long number;
    }

    private Outside() {}

    private static void commitAll(long number) {
        for (int i = 0; i < EVENTS; i++) {
            Step step = new Step();
            step.begin();
            step.number = number;
            step.commit();
        }
    }

    private static void inside(Order order, long number) {
        order.number = number;
        order.set();
        try {
            commitAll(number);
        } finally {
            order.unset();
        }
    }

    private static void run(Order order, long tasks) {
        for (long number = 1; number <= tasks; number++) {
            if (number % EVERY == 0) {
                inside(order, number);
            } else {
                commitAll(number);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Loupe.registerContext(Order.class);
        long tasks = Long.parseLong(args[0]);
        Order order = new Order();
        long end = System.nanoTime() + WARM_MILLIS * 1_000_000L;
        while (System.nanoTime() < end) {
            run(order, EVERY);
            Thread.sleep(1);
        }
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long begin = threads.getCurrentThreadCpuTime();
        run(order, tasks);
        long nanos = threads.getCurrentThreadCpuTime() - begin;
        System.out.printf(
                "%.1f ns of processor time for an event%n", (double) nanos / tasks / EVENTS);
    }
}
