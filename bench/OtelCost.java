// SPDX-License-Identifier: Apache-2.0

import com.sun.management.ThreadMXBean;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * What it costs to attach a span to a thread and to detach it, beside what OpenTelemetry's own
 * storage of contexts costs in the same run:
 *
 * <pre>java -agentpath:build/release/lib/libloupe.so=log=error
 * -Dotel.traces.exporter=none -Dotel.metrics.exporter=none -Dotel.logs.exporter=none
 * -cp build/release/lib/loupe.jar:build/release/lib/loupe-otel.jar:$(scripts/jars.py otel-sdk)
 * bench/OtelCost.java</pre>
 *
 * It measures bursts that fit into a ring and rests between them, in which the agent drains.
 * Printed are the median and the quartiles over the bursts, in ns for attaching and detaching, and
 * bytes allocated by them. With the option {@code -agentpath} left out it shows what is left
 * without Loupe's agent.
 */
public final class OtelCost {
    private static final int PAIRS = 1000; // of a burst
    private static final int BURSTS = 400;
    private static final int BURSTS_TO_WARM_UP = 200;
    private static final long REST_NANOS = 12_000_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private OtelCost() {}

    private static void attach(ContextStorage storage, Context context) {
        for (int i = 0; i < PAIRS; i++) {
            Scope scope = storage.attach(context);
            scope.close();
        }
    }

    public static void main(String[] args) {
        Tracer tracer = AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk().getTracer(
                "bench");
        Span root = tracer.spanBuilder("GET /orders/{id}").setNoParent().startSpan();
        Context inRoot = Context.root().with(root);
        Span child = tracer.spanBuilder("child").setParent(inRoot).startSpan();
        Context inChild = inRoot.with(child);
        ContextStorage bare = ContextStorage.defaultStorage();
        ContextStorage watched = ContextStorage.get();

        Object[][] all = {
                {"a span where there is none, OpenTelemetry alone", bare, null, inRoot},
                {"a span where there is none", watched, null, inRoot},
                {"a child within its parent, OpenTelemetry alone", bare, inRoot, inChild},
                {"a child within its parent", watched, inRoot, inChild},
        };
        double[][] nanos = new double[all.length][BURSTS];
        long[] bytes = new long[all.length];
        for (int burst = -BURSTS_TO_WARM_UP; burst < BURSTS; burst++) {
            for (int i = 0; i < all.length; i++) {
                LockSupport.parkNanos(REST_NANOS);
                ContextStorage storage = (ContextStorage) all[i][1];
                Scope around = storage.attach((Context) all[i][2]);
                long before = THREADS.getCurrentThreadAllocatedBytes();
                long begin = System.nanoTime();
                attach(storage, (Context) all[i][3]);
                long end = System.nanoTime();
                long after = THREADS.getCurrentThreadAllocatedBytes();
                around.close();
                if (burst >= 0) {
                    nanos[i][burst] = (double) (end - begin) / PAIRS;
                    bytes[i] = (after - before) / PAIRS;
                }
            }
        }
        System.out.println("JDK " + Runtime.version());
        for (int i = 0; i < all.length; i++) {
            Arrays.sort(nanos[i]);
            System.out.printf("%-50s %6.1f  (%.1f to %.1f)  %d bytes%n", all[i][0],
                    nanos[i][BURSTS / 2], nanos[i][BURSTS / 4], nanos[i][BURSTS * 3 / 4], bytes[i]);
        }
        child.end();
        root.end();
    }
}
