// SPDX-License-Identifier: Apache-2.0

import com.sun.management.OperatingSystemMXBean;
import dev.loupe.ContextType;
import dev.loupe.Loupe;
import dev.loupe.jfr.Contextual;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * What bench/magnify records.
 *
 * <pre>java -cp loupe.jar Magnify.java pool TASKS_PER_SECOND SECONDS
 * java -cp loupe.jar Magnify.java (events|contexts) REQUESTS_PER_SECOND SECONDS</pre>
 *
 * {@code pool}: a service with two thread pools, whose threads wait for work, for each other's
 * results and for each other's signals; one task in a hundred is a request with a context. {@code
 * events}, {@code contexts}: requests that are contextual events, or contexts of Loupe's; in one of
 * a hundred something happens. The last line is {@code cpu_ns=... done=...}.
 */
public final class Magnify {
    private static final int EVERY = 100;
    private static final long TURN_NANOS = 10_000_000;

    private Magnify() {}

    @Name("bench.Request")
    static final class RequestContext extends ContextType {
        @Name("trace") public String trace;
        @Name("number") public long number;
    }

    @Name("bench.RequestEvent")
    @Label("Request")
    @StackTrace(false)
    static final class RequestEvent extends Event {
        @Contextual String trace;
        @Contextual long number;
    }

    @Name("bench.Retry")
    @StackTrace(false)
    static final class RetryEvent extends Event {
        long number;
    }

    private interface Task {
        void run(long number) throws Exception;
    }

    private static String trace(long number) {
        return String.format("%016x%016x", number * 0x9e3779b97f4a7c15L, ~number);
    }

    // --- Threads that wait

    private static final class Signal {
        private boolean isGiven;

        synchronized void give() {
            isGiven = true;
            notifyAll();
        }

        synchronized void await() throws InterruptedException {
            while (!isGiven) {
                wait();
            }
        }
    }

    // Parks for the result of one helper, and waits on the monitor for the signal of another.
    private static long serve(ExecutorService helpers, long number) throws Exception {
        Signal signal = new Signal();
        CompletableFuture<Long> half = CompletableFuture.supplyAsync(() -> {
            LockSupport.parkNanos(100_000);
            return number / 2;
        }, helpers);
        helpers.execute(() -> {
            LockSupport.parkNanos(100_000);
            signal.give();
        });
        long result = half.get();
        signal.await();
        return result;
    }

    private static Task pool() {
        ExecutorService workers = Executors.newFixedThreadPool(8);
        ExecutorService helpers = Executors.newFixedThreadPool(16);
        Semaphore room = new Semaphore(1000);
        return number -> {
            room.acquire();
            workers.execute(() -> {
                RequestContext context = number % EVERY == 0 ? new RequestContext() : null;
                try {
                    if (context != null) {
                        context.trace = trace(number);
                        context.number = number;
                        context.set();
                    }
                    serve(helpers, number);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                } finally {
                    if (context != null) {
                        context.unset();
                    }
                    room.release();
                }
            });
        };
    }

    // --- Requests, and something in one of a hundred

    private static void happen(long number) {
        if (number % EVERY == 0) {
            RetryEvent retry = new RetryEvent();
            retry.begin();
            retry.number = number;
            retry.commit();
        }
    }

    private static Task events() {
        return number -> {
            RequestEvent request = new RequestEvent();
            request.begin();
            happen(number);
            request.trace = trace(number);
            request.number = number;
            request.commit();
        };
    }

    private static Task contexts() {
        RequestContext context = new RequestContext();
        return number -> {
            context.trace = trace(number);
            context.number = number;
            context.set();
            happen(number);
            context.unset();
        };
    }

    private static Task task(String mode) {
        switch (mode) {
            case "pool":
                return pool();
            case "events":
                return events();
            default:
                return contexts();
        }
    }

    public static void main(String[] args) throws Exception {
        Loupe.registerContext(RequestContext.class);
        Task task = task(args[0]);
        long perTurn = Long.parseLong(args[1]) * TURN_NANOS / 1_000_000_000;
        long end = System.nanoTime() + Long.parseLong(args[2]) * 1_000_000_000;
        OperatingSystemMXBean system =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = system.getProcessCpuTime();
        long done = 0;
        for (long next = System.nanoTime(); next < end; next += TURN_NANOS) {
            for (long i = 0; i < perTurn; i++) {
                task.run(done++);
            }
            for (long left; (left = next + TURN_NANOS - System.nanoTime()) > 0;) {
                LockSupport.parkNanos(left);
            }
        }
        cpu = system.getProcessCpuTime() - cpu;
        System.out.println("cpu_ns=" + cpu + " done=" + done);
        System.exit(0); // the pools' threads wait for more
    }
}
