// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import org.postgresql.jdbc.SlowStatement;

/**
 * Requests that are slow for a reason each: another thread has the lock, a peer is slow to answer,
 * the heap is collected, the request itself makes garbage that lasts, the pool has no thread left,
 * there is much to compute, a driver asks for each of {@value #ROWS} rows, thousands of exceptions
 * are thrown.
 *
 * <pre>PlantedE2E OUT.jfr REQUESTS [CAUSE]</pre>
 *
 * <p>REQUESTS for each cause in turn; or for CAUSE alone, and as many times {@value #QUICK} in
 * which nothing happens.
 */
public final class PlantedE2E {
    private static final long SLOW_NANOS = 100_000_000;
    private static final int LIVE_NODES = 1_000_000;
    private static final long BUSY_NANOS = 100_000_000;
    private static final int SPINS = 100_000;
    private static final int LISTS = 12;
    private static final int KEPT_LISTS = 3;
    private static final int QUICK = 20;
    private static final int ROWS = 12;
    private static final long ROW_NANOS = 10_000_000;
    private static final int THROWN = 2000;
    private static final Object LOCK = new Object();

    private static final TreeMap<Integer, Integer> NUMBERS = new TreeMap<>();

    private static Node live;
    private static long sum;

    /** A node of a list: garbage that is expensive to collect as long as it is used. */
    private record Node(Node next, long value) {}

    /** A context. */
    @Name("planted.Request")
    @StackTrace(false)
    static class Request extends Event {
        @dev.loupe.jfr.Contextual String cause;
    }

    private static final class NotFound extends Exception {
        private static final long serialVersionUID = 1;

        NotFound(int row) {
            super("row " + row);
        }
    }

    private interface Cause {
        void suffer() throws Exception;
    }

    private PlantedE2E() {}

    public static void main(String[] args) throws Exception {
        int requests = Integer.parseInt(args[1]);
        for (int i = 0; i < 100; i++) { // no more, as small numbers are objects already
            NUMBERS.put(i, i);
        }
        try (Recording recording = new Recording()) {
            for (String type :
                    new String[] {"JavaMonitorEnter", "ThreadPark", "SocketRead", "GCPhasePause",
                            "SafepointBegin", "ExecuteVMOperation", "JavaExceptionThrow"}) {
                recording.enable("jdk." + type).withThreshold(Duration.ZERO).withStackTrace();
            }
            recording.enable("jdk.ActiveSetting");
            recording.enable("jdk.JVMInformation"); // has the main class
            recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
            recording.enable("jdk.CPUTimeSample").with("throttle", "10ms"); // where there are such
            recording.start();
            for (int i = 0; i < requests; i++) {
                for (Map.Entry<String, Cause> cause : causes().entrySet()) {
                    if (args.length < 3 || args[2].equals(cause.getKey())) {
                        serve(cause.getKey(), cause.getValue());
                    }
                }
                for (int quick = 0; quick < QUICK && args.length == 3; quick++) {
                    serve("none", Thread::onSpinWait);
                }
            }
            recording.stop();
            recording.dump(Path.of(args[0]));
        }
    }

    private static Map<String, Cause> causes() {
        Map<String, Cause> causes = new LinkedHashMap<>();
        causes.put("lock", PlantedE2E::reserve);
        causes.put("io", PlantedE2E::fetch);
        causes.put("gc", PlantedE2E::collect);
        causes.put("allocation", PlantedE2E::allocate);
        causes.put("pool", PlantedE2E::submit);
        causes.put("cpu", PlantedE2E::compute);
        causes.put("repeat", PlantedE2E::findEach);
        causes.put("exceptions", PlantedE2E::throwAll);
        return causes;
    }

    private static void serve(String name, Cause cause) throws Exception {
        Request request = new Request();
        request.cause = name;
        Thread thread = new Thread(() -> {
            try {
                request.begin();
                cause.suffer();
                request.commit();
            } catch (Exception e) {
                e.printStackTrace();
                System.exit(2);
            }
        }, "server-" + name);
        if (name.equals("lock")) {
            holdUntilBlocked(thread);
        } else if (name.equals("gc")) {
            live = list(LIVE_NODES);
            thread.start();
            thread.join();
            live = null;
        } else {
            thread.start();
            thread.join();
        }
    }

    // --- The lock

    private static void holdUntilBlocked(Thread thread) throws InterruptedException {
        synchronized (LOCK) {
            thread.start();
            while (thread.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            LockSupport.parkNanos(SLOW_NANOS);
        }
        thread.join();
    }

    private static void reserve() {
        synchronized (LOCK) {
            Thread.onSpinWait();
        }
    }

    // --- The peer

    private interface Asking {
        void ask(Socket socket) throws IOException;
    }

    /** Asks a peer that does something else on a thread of its own. */
    private static void meet(Asking own, Asking peers) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket peer = server.accept()) {
            new Thread(() -> {
                try {
                    peers.ask(peer);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }).start();
            own.ask(socket);
        }
    }

    private static void fetch() throws IOException {
        meet(PlantedE2E::await, PlantedE2E::answer);
    }

    private static void await(Socket socket) throws IOException {
        socket.getInputStream().read();
    }

    private static void answer(Socket peer) throws IOException {
        LockSupport.parkNanos(SLOW_NANOS);
        peer.getOutputStream().write(1);
    }

    // --- The driver

    private static void findEach() throws IOException {
        meet(PlantedE2E::findRows, PlantedE2E::answerRows);
    }

    private static void findRows(Socket socket) throws IOException {
        for (int row = 0; row < ROWS; row++) {
            find(socket);
        }
    }

    private static void find(Socket socket) throws IOException {
        SlowStatement.execute(socket);
    }

    private static void answerRows(Socket peer) throws IOException {
        for (int row = 0; row < ROWS; row++) {
            peer.getInputStream().read();
            LockSupport.parkNanos(ROW_NANOS);
            peer.getOutputStream().write(1);
        }
    }

    // --- The exceptions

    private static void throwAll() {
        for (int row = 0; row < THROWN; row++) {
            try {
                look(row);
            } catch (NotFound e) {
                sum += e.getMessage().length();
            }
        }
    }

    private static void look(int row) throws NotFound {
        throw new NotFound(row);
    }

    // --- The heap

    private static Node list(int length) {
        Node node = null;
        for (int i = 0; i < length; i++) {
            node = new Node(node, i);
        }
        return node;
    }

    private static void collect() {
        System.gc();
        System.gc();
    }

    // Each list lives until there are three later ones: each collection has to move them.
    private static void allocate() {
        Node[] kept = new Node[KEPT_LISTS];
        for (int i = 0; i < LISTS; i++) {
            kept[i % KEPT_LISTS] = list(LIVE_NODES);
        }
        live = kept[0];
        live = null;
    }

    // --- The CPU

    private static void compute() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long end = threads.getCurrentThreadCpuTime() + BUSY_NANOS;
        while (threads.getCurrentThreadCpuTime() < end) {
            spin();
        }
    }

    private static void spin() {
        for (int i = 0; i < SPINS; i++) {
            sum += NUMBERS.get(i % NUMBERS.size());
        }
    }

    // --- The pool

    private static void submit() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Thread request = Thread.currentThread();
        pool.execute(() -> hog(request));
        Future<?> answer = pool.submit(() -> 1);
        answer.get();
        pool.shutdown();
    }

    private static void hog(Thread request) {
        while (request.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        LockSupport.parkNanos(SLOW_NANOS);
    }
}
