// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;
import jdk.jfr.Configuration;
import jdk.jfr.Event;
import jdk.jfr.MetadataDefinition;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;

/**
 * Makes a recording of a service under load:
 * MakeRecording FILE MEGABYTES [QUERY_SHARE [OVERLAP_SHARE]].
 *
 * <p>Requests come over connections, half of them served by platform threads, half by a virtual
 * thread per connection (all by platform threads where the JDK has no others). Each request is a
 * contextual event, and so are the steps that half of the requests have. QUERY_SHARE of requests
 * and of steps, 0.03 unless it is named, make a query, deep in the stack: then about one context in
 * 20 sees an event; with 0.35, 44 in 100. What comes in and goes out between requests is
 * recorded outside of all contexts, and the JDK's own events are those of its "profile" settings.
 *
 * <p>With an OVERLAP_SHARE, contexts of a thread cross: that share of requests end only inside the
 * next request, and that share of requests begin a call, another contextual event, that ends inside
 * the next request.
 */
public final class MakeRecording {
    private static final int ENDPOINTS = 48;
    private static final int LAYERS = 40; // frames between the request and its query, give or take
    private static final int PLATFORM_THREADS = 4;
    private static final int CONNECTIONS_MAX = 256; // of virtual threads at a time
    private static final int REQUESTS_OF_A_CONNECTION = 50;
    private static final int REQUESTS_OF_A_BURST = 2_000;
    private static final int REQUESTS_BEFORE_A_LOOK = 50; // at whether JFR keeps up
    private static final long CHUNK_BYTES_MAX =
            16_000_000; // JFR wants to begin another after 12 MiB
    private static final long REST_MILLIS = 10;
    private static final double STEP_SHARE = 0.5;
    private static final double TRANSFER_SHARE = 0.42;

    /** Any annotation of this name makes a context; JDK 25's own is not there on older ones. */
    @MetadataDefinition
    @Target(ElementType.FIELD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Contextual {}

    /** Its id is a text of its own, its endpoint one of few that JFR keeps in a pool. */
    @Name("bench.Request")
    @StackTrace(false)
    static final class Request extends Event {
        @Contextual String traceId;
        @Contextual String endpoint;
        @Contextual long customer;
    }

    /** A context in a context. */
    @Name("bench.Step")
    @StackTrace(false)
    static final class Step extends Event {
        @Contextual String spanId;
        @Contextual String operation;
        @Contextual long attempt;
    }

    /** Begins in one request and ends in the next: it crosses both. */
    @Name("bench.Call")
    @StackTrace(false)
    static final class Call extends Event {
        @Contextual String callId;
        @Contextual String peer;
        @Contextual boolean isRetry;
    }

    /** What triggers a context. */
    @Name("bench.Query")
    static final class Query extends Event {
        String statement;
        long rows;
    }

    /** What falls into no context. */
    @Name("bench.Transfer")
    static final class Transfer extends Event {
        String peer;
        long bytes;
        boolean isRead;
    }

    /** One layer of the service calls the next, so that there are stack traces. */
    private interface Layer {
        int handle(Server server, int depth);
    }

    private static final class Filter implements Layer {
        @Override
        public int handle(Server server, int depth) {
            return server.next(depth) + 1;
        }
    }

    private static final class Interceptor implements Layer {
        @Override
        public int handle(Server server, int depth) {
            int result = server.next(depth);
            return result > 0 ? result + 1 : 0;
        }
    }

    private static final class Proxy implements Layer {
        @Override
        public int handle(Server server, int depth) {
            return invoke(server, depth);
        }

        private int invoke(Server server, int depth) {
            return server.next(depth);
        }
    }

    private static final String[] endpoints = texts("GET /api/v1/customers/{customer}/orders/");
    private static final String[] operations = texts("OrderRepository.findAllByCustomerAndState");
    private static final String[] statements =
            texts("select * from orders where customer = ? limit ");
    private static final String[] peers = texts("10.20.30.");
    private static volatile CountDownLatch gate = new CountDownLatch(0); // shut while JFR is behind
    private static double queryShare = 0.03; // of requests and of steps; set before they begin
    private static double overlapShare; // of requests; likewise
    private static volatile boolean isOver;

    private MakeRecording() {}

    private static String[] texts(String begin) {
        String[] texts = new String[ENDPOINTS];
        for (int i = 0; i < ENDPOINTS; i++) {
            texts[i] = begin + i;
        }
        return texts;
    }

    /** Serves one connection after the other, on one thread. */
    private static final class Server implements Runnable {
        private static final char[] DIGITS = "0123456789abcdef".toCharArray();
        private final SplittableRandom random;
        private final int requestsMax;
        private final char[] id = new char[16];
        private Layer[] layers;
        private int endpoint;
        private int sum;
        private Request late; // the request before, if it has not ended
        private Call call; // of the request before, if it has not ended

        Server(long seed, int requestsMax) {
            random = new SplittableRandom(seed);
            this.requestsMax = requestsMax;
        }

        @Override
        public void run() {
            for (int i = 1; i <= requestsMax && !isOver; i++) {
                serve();
                if (i % REQUESTS_BEFORE_A_LOOK == 0) {
                    await(gate);
                }
                if (i % REQUESTS_OF_A_BURST == 0) {
                    rest();
                }
            }
        }

        private void serve() {
            if (random.nextDouble() < TRANSFER_SHARE) {
                transfer();
            }
            endpoint = random.nextInt(ENDPOINTS);
            layers = paths[endpoint];
            Request request = new Request();
            request.begin();
            sum += next(layers.length);
            request.traceId = newId();
            request.endpoint = endpoints[endpoint];
            request.customer = random.nextInt(100_000);
            end(request);
        }

        private void end(Request request) {
            if (late != null) {
                late.commit();
                late = null;
            }
            if (isOverlapping()) {
                late = request;
            } else {
                request.commit();
            }
        }

        private boolean isOverlapping() {
            return overlapShare > 0 && random.nextDouble() < overlapShare;
        }

        int next(int depth) {
            return depth == 0 ? work() : layers[depth - 1].handle(this, depth - 1);
        }

        private int work() {
            if (random.nextDouble() < queryShare) {
                query();
            }
            int steps = random.nextDouble() < STEP_SHARE ? 2 : 0;
            for (int i = 0; i < steps; i++) {
                Step step = new Step();
                step.begin();
                if (random.nextDouble() < queryShare) {
                    query();
                }
                step.spanId = newId();
                step.operation = operations[(endpoint + i) % ENDPOINTS];
                step.attempt = i;
                step.commit();
            }
            call();
            return steps;
        }

        private void call() {
            if (call != null) {
                call.commit();
                call = null;
            }
            if (isOverlapping()) {
                call = new Call();
                call.begin();
                call.callId = newId();
                call.peer = peers[endpoint];
                call.isRetry = random.nextBoolean();
            }
        }

        private void query() {
            Query query = new Query();
            query.begin();
            query.statement = statements[random.nextInt(ENDPOINTS)];
            query.rows = random.nextInt(1000);
            query.commit();
        }

        private void transfer() {
            Transfer transfer = new Transfer();
            transfer.begin();
            transfer.peer = peers[random.nextInt(ENDPOINTS)];
            transfer.bytes = random.nextInt(1 << 16);
            transfer.isRead = random.nextBoolean();
            transfer.commit();
        }

        private String newId() {
            long bits = random.nextLong();
            for (int i = 0; i < id.length; i++) {
                id[i] = DIGITS[(int) (bits >>> 4 * i) & 15];
            }
            return new String(id);
        }
    }

    private static final Layer[][] paths = new Layer[ENDPOINTS][];

    static {
        SplittableRandom random = new SplittableRandom(1);
        Layer[] kinds = {new Filter(), new Interceptor(), new Proxy()};
        for (int i = 0; i < ENDPOINTS; i++) {
            paths[i] = new Layer[LAYERS / 2 + random.nextInt(LAYERS)];
            for (int j = 0; j < paths[i].length; j++) {
                paths[i][j] = kinds[random.nextInt(kinds.length)];
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stop) {
            isOver = true;
        }
    }

    private static void rest() {
        try {
            Thread.sleep(REST_MILLIS);
        } catch (InterruptedException stop) {
            isOver = true;
        }
    }

    /** Opens connections, a virtual thread each, as long as there is time. */
    private static void acceptOnVirtualThreads(ThreadFactory factory) {
        Semaphore free = new Semaphore(CONNECTIONS_MAX);
        for (long seed = 1000; !isOver; seed++) {
            free.acquireUninterruptibly();
            Server server = new Server(seed, REQUESTS_OF_A_CONNECTION);
            factory.newThread(() -> {
                       server.run();
                       free.release();
                   })
                    .start();
            if (seed % (REQUESTS_OF_A_BURST / REQUESTS_OF_A_CONNECTION) == 0) {
                rest();
            }
        }
    }

    // Virtual threads came with JDK 21; this compiles on 17, too.
    private static ThreadFactory virtualThreads() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (ThreadFactory) Class.forName("java.lang.Thread$Builder")
                    .getMethod("factory")
                    .invoke(builder);
        } catch (ReflectiveOperationException old) {
            return null;
        }
    }

    public static void main(String[] args) throws Exception {
        Path file = Path.of(args[0]);
        long sizeBytes = Long.parseLong(args[1]) * 1_000_000;
        if (args.length > 2) {
            queryShare = Double.parseDouble(args[2]);
        }
        if (args.length > 3) {
            overlapShare = Double.parseDouble(args[3]);
        }
        try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
            recording.setToDisk(true);
            recording.start();
            for (int i = 0; i < PLATFORM_THREADS; i++) {
                newPlatformThread("worker-" + i, new Server(i, Integer.MAX_VALUE)).start();
            }
            ThreadFactory factory = virtualThreads();
            if (factory != null) {
                newPlatformThread("acceptor", () -> acceptOnVirtualThreads(factory)).start();
            }
            Path repository = Path.of(System.getProperty("jdk.jfr.repository"));
            while (recording.getSize() < sizeBytes) {
                boolean isBehind = newestChunkBytes(repository) > CHUNK_BYTES_MAX;
                if (!isBehind) {
                    gate.countDown();
                } else if (gate.getCount() == 0) {
                    gate = new CountDownLatch(1);
                }
                Thread.sleep(10);
            }
            isOver = true;
            gate.countDown();
            recording.stop();
            recording.dump(file);
        }
    }

    /**
     * On a busy machine JFR's own thread gets no time to begin a new chunk, and chunks of 100 MB
     * are not what a recording has.
     */
    private static long newestChunkBytes(Path repository) throws IOException {
        try (Stream<Path> files = Files.list(repository)) {
            Path newest = files.filter(file -> file.toString().endsWith(".jfr"))
                                  .max(Comparator.comparing(Path::getFileName))
                                  .orElseThrow();
            return Files.size(newest);
        }
    }

    private static Thread newPlatformThread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
