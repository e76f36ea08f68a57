// SPDX-License-Identifier: Apache-2.0

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import jdk.jfr.Recording;

/**
 * A service in which each request is a virtual thread that works a little, takes a lock that others
 * want too, and waits for the answer of a backend: what recording an event costs it. Needs JDK 25.
 *
 * <pre>java [-agentpath:...] VirtualService.java PAIRS (EVENT#SETTING=VALUE)...</pre>
 *
 * The settings are on and off in turn, in one JVM that never rests: so what else the machine does
 * hits both alike. The result is the processor time of the whole JVM for a request, the median of
 * all turns and the median of the differences of neighbours.
 */
public final class VirtualService {
    private static final int IN_FLIGHT = 64;
    private static final int LOCKS = 8;
    private static final int BACKENDS = 4;
    private static final int WORK_STEPS = 8000; // some 15 microseconds
    private static final int WORK_STEPS_LOCKED = 300;
    private static final int WORK_STEPS_BACKEND = 500;
    private static final int HOLD_EVERY = 64; // requests: one keeps its lock over a turn of others
    private static final long WARM_UP_MILLIS = 10_000;
    private static final long SETTLE_MILLIS = 2_000; // the agent looks every second
    private static final long TURN_MILLIS = 2_000;

    private static final Object[] locks = new Object[LOCKS];
    private static final long[] guarded = new long[LOCKS];
    private static final LinkedBlockingQueue<CompletableFuture<Long>> backend =
            new LinkedBlockingQueue<>();
    private static final AtomicLong numbers = new AtomicLong();
    private static final LongAdder handled = new LongAdder();
    private static final LongAdder sum = new LongAdder();

    private VirtualService() {}

    private static long work(long seed, int steps) {
        long x = seed | 1;
        for (int i = 0; i < steps; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }

    private static void handle(long number) {
        long result = work(number, WORK_STEPS);
        int lock = (int) (number % LOCKS);
        synchronized (locks[lock]) {
            guarded[lock] += work(result, WORK_STEPS_LOCKED);
            if (number % HOLD_EVERY == 0) {
                Thread.yield();
            }
        }
        CompletableFuture<Long> answer = new CompletableFuture<>();
        backend.add(answer);
        sum.add(answer.join() + result);
        handled.increment();
    }

    private static void answerAll() {
        try {
            while (true) {
                backend.take().complete(work(1, WORK_STEPS_BACKEND));
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void requestAll() {
        try {
            while (true) {
                Thread.ofVirtual().start(() -> handle(numbers.incrementAndGet())).join();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Nanoseconds of processor time for a request. */
    private static double turn() throws InterruptedException {
        OperatingSystemMXBean system =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Thread.sleep(SETTLE_MILLIS);
        long count = handled.sum();
        long cpu = system.getProcessCpuTime();
        Thread.sleep(TURN_MILLIS);
        cpu = system.getProcessCpuTime() - cpu;
        return (double) cpu / (handled.sum() - count);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        sorted.sort(null);
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle)
                                      : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    public static void main(String[] args) throws Exception {
        int pairs = Integer.parseInt(args[0]);
        Map<String, String> on = new HashMap<>();
        Map<String, String> off = new HashMap<>();
        for (int i = 1; i < args.length; i++) {
            String[] parts = args[i].split("=", 2);
            on.put(parts[0], parts[1]);
        }
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new Object();
        }
        for (int i = 0; i < BACKENDS; i++) {
            Thread.ofVirtual().start(VirtualService::answerAll);
        }
        for (int i = 0; i < IN_FLIGHT; i++) {
            Thread.ofVirtual().start(VirtualService::requestAll);
        }
        try (Recording recording = new Recording(off)) {
            recording.setMaxSize(1 << 20);
            recording.start();
            Thread.sleep(WARM_UP_MILLIS);
            List<Double> offs = new ArrayList<>();
            List<Double> ons = new ArrayList<>();
            List<Double> ratios = new ArrayList<>();
            for (int i = 0; i < pairs; i++) {
                recording.setSettings(off);
                offs.add(turn());
                recording.setSettings(on);
                ons.add(turn());
                ratios.add(ons.get(i) / offs.get(i) - 1);
            }
            System.out.printf("off_ns=%.0f on_ns=%.0f difference=%+.1f%% pairs=%d requests=%d%n",
                    median(offs), median(ons), 100 * median(ratios), pairs, handled.sum());
        }
        System.exit(0);
    }
}
