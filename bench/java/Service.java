// SPDX-License-Identifier: Apache-2.0

import com.sun.management.OperatingSystemMXBean;
import dev.loupe.ContextType;
import dev.loupe.Loupe;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * A service with so many requests per second, each of which works a little, and what the whole JVM
 * spends on them. See bench/service.
 *
 * <pre>java -cp loupe.jar Service.java (nothing|contexts|events) REQUESTS_PER_SECOND SECONDS</pre>
 *
 * The last line is {@code cpu_ns=... requests=...}, and behind that the processor time of Loupe's
 * and NNG's threads by name, while the service ran. With 0 requests per second it rests.
 */
public final class Service {
    private static final int THREADS = 2;
    private static final long TURN_NANOS = 2_000_000;
    private static final int WARM_UP_SECONDS = 10;
    // Some 7 microseconds: 200,000 requests a second keep two cores busy, but for what is measured.
    private static final int WORK_STEPS = 4000;

    private Service() {}

    @Name("bench.Request")
    static final class RequestContext extends ContextType {
        @Name("trace") public String trace;
        @Name("number") public long number;
    }

    @Name("bench.Request")
    @StackTrace(false)
    static final class RequestEvent extends Event {
        String trace;
        long number;
    }

    private interface Handler {
        long handle(String trace, long number);
    }

    private static long work(long seed) {
        long x = seed | 1;
        for (int i = 0; i < WORK_STEPS; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }

    // 32 digits, another text for each request.
    private static String trace(long number) {
        long bits = number * 0x9e3779b97f4a7c15L;
        byte[] digits = new byte[32];
        for (int i = 0; i < digits.length; i++) {
            digits[i] = (byte) "0123456789abcdef".charAt((int) (bits >>> 2 * i) & 15);
        }
        return new String(digits, StandardCharsets.ISO_8859_1);
    }

    private static Handler handler(String mode) {
        switch (mode) {
            case "contexts": {
                Loupe.registerContext(RequestContext.class);
                ThreadLocal<RequestContext> contexts = ThreadLocal.withInitial(RequestContext::new);
                return (trace, number) -> {
                    RequestContext context = contexts.get();
                    context.trace = trace;
                    context.number = number;
                    context.set();
                    long result = work(number);
                    context.unset();
                    return result;
                };
            }
            case "events":
                return (trace, number) -> {
                    RequestEvent event = new RequestEvent();
                    event.begin();
                    long result = work(number);
                    event.trace = trace;
                    event.number = number;
                    event.commit();
                    return result;
                };
            default:
                return (trace, number) -> work(number);
        }
    }

    /** Handles requests in turns, and rests for what is left of each. */
    private static final class Worker extends Thread {
        private final Handler handler;
        private final int requestsPerTurn;
        private volatile boolean isStopped;
        private volatile long handled;
        private long sum;

        Worker(Handler handler, int requestsPerTurn) {
            this.handler = handler;
            this.requestsPerTurn = requestsPerTurn;
        }

        @Override
        public void run() {
            long next = System.nanoTime();
            while (!isStopped) {
                for (int i = 0; i < requestsPerTurn; i++) {
                    sum += handler.handle(trace(handled + i), handled + i);
                }
                handled += requestsPerTurn;
                next += TURN_NANOS;
                for (long left; (left = next - System.nanoTime()) > 0;) {
                    LockSupport.parkNanos(left);
                }
            }
        }
    }

    // Linux shows a thread's processor time in ticks of 10 ms.
    private static Map<String, Long> agentNanos() throws IOException {
        Map<String, Long> nanos = new TreeMap<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            for (Path task : (Iterable<Path>) tasks::iterator) {
                String stat = Files.readString(task.resolve("stat"));
                String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
                List<String> rest = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
                if (name.startsWith("loupe") || name.startsWith("nng")) {
                    long ticks = Long.parseLong(rest.get(11)) + Long.parseLong(rest.get(12));
                    nanos.merge(name.replaceAll("[:\\d ].*", ""), ticks * 10_000_000, Long::sum);
                }
            }
        }
        return nanos;
    }

    private static long handled(List<Worker> workers) {
        return workers.stream().mapToLong(worker -> worker.handled).sum();
    }

    public static void main(String[] args) throws Exception {
        Handler handler = handler(args[0]);
        int perTurn = (int) (Long.parseLong(args[1]) * TURN_NANOS / 1_000_000_000 / THREADS);
        long seconds = Long.parseLong(args[2]);
        List<Worker> workers = perTurn == 0
                ? List.of()
                : Stream.generate(() -> new Worker(handler, perTurn)).limit(THREADS).toList();
        workers.forEach(Thread::start);
        OperatingSystemMXBean system =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Thread.sleep(WARM_UP_SECONDS * 1000L);

        Map<String, Long> agent = agentNanos();
        long requests = handled(workers);
        long cpu = system.getProcessCpuTime();
        Thread.sleep(seconds * 1000);
        cpu = system.getProcessCpuTime() - cpu;
        requests = handled(workers) - requests;
        StringBuilder line = new StringBuilder("cpu_ns=" + cpu + " requests=" + requests);
        agentNanos().forEach((name, nanos)
                                     -> line.append(" ").append(name).append('=').append(
                                             nanos - agent.getOrDefault(name, 0L)));
        System.out.println(line);
        for (Worker worker : workers) {
            worker.isStopped = true;
            worker.join();
        }
    }
}
