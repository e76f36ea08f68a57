// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.jfr.Contextual;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;

/**
 * Makes a recording of several chunks in which contextual events with attributes of every type nest
 * and overlap, on platform threads and, where there are any, on virtual ones.
 *
 * <pre>StyleRecording OUT.jfr SEED</pre>
 */
public final class StyleRecording {
    private static final int CHUNKS = 4;
    private static final int THREADS = 4;
    private static final int STEPS = 60; // of a thread in a chunk
    private static final int DEEP = 80;

    @Name("styles.Request")
    @Label("HTTP Request")
    @StackTrace(false)
    static final class Request extends Event {
        @Contextual @Label("Trace ID") @Description("Of the trace") @Name("traceid") String traceid;

        @Contextual @Name("endpoint") String endpoint;

        @Name("status") int status;
    }

    /** Another type with the same last name. */
    @Name("other.Request")
    @StackTrace(false)
    static final class OtherRequest extends Event {
        @Contextual @Name("id") long id;
    }

    /** Contextual as a whole. */
    @Contextual
    @Name("styles.Everything")
    @StackTrace(false)
    static final class Everything extends Event {
        @Name("isSo") boolean isSo;

        @Name("b") byte b;

        @Name("c") char c;

        @Name("s") short s;

        @Name("i") int i;

        @Name("l") long l;

        @Name("text") String text;

        @Name("type") Class<?> type;

        @Name("helper") Thread helper;
    }

    /** Numbers of which some readers know no constants. */
    @Contextual
    @Name("styles.Real")
    @StackTrace(false)
    static final class Real extends Event {
        @Name("f") float f;

        @Name("d") double d;
    }

    @Name("styles.Step")
    @StackTrace(false)
    static final class Step extends Event {
        @Contextual @Name("number") int number;
    }

    /** Contextual, with nothing to say. */
    @Contextual
    @Name("styles.Bare")
    @StackTrace(false)
    static final class Bare extends Event {}

    /** A plain event with fields whose names are wanted for contexts. */
    @Name("styles.Work")
    static final class Work extends Event {
        @Name("Step_number") int number;

        @Name("context") String context;
    }

    @Name("styles.Mark")
    @StackTrace(false)
    static final class Mark extends Event {
        @Name("text") String text;
    }

    private final long seed;
    private final AtomicBoolean isFirst = new AtomicBoolean(true);
    private final CyclicBarrier border = new CyclicBarrier(THREADS + 1);

    private StyleRecording(long seed) {
        this.seed = seed;
    }

    public static void main(String[] args) throws Exception {
        new StyleRecording(Long.parseLong(args[1])).record(Path.of(args[0]));
        System.out.println("done");
    }

    private void record(Path out) throws Exception {
        for (Class<? extends Event> type :
                List.of(Request.class, OtherRequest.class, Everything.class, Real.class, Step.class,
                        Bare.class, Work.class, Mark.class)) {
            FlightRecorder.register(type);
        }
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ThreadPark").withoutThreshold();
            recording.enable("jdk.ThreadStart");
            recording.start();
            CountDownLatch ended = new CountDownLatch(THREADS);
            for (int i = 0; i < THREADS; i++) {
                start(i, () -> work(ended));
            }
            for (int chunk = 1; chunk < CHUNKS; chunk++) {
                border.await();
                rotate();
                border.await();
            }
            ended.await();
            recording.stop();
            recording.dump(out);
        }
    }

    private static void rotate() {
        try (Recording other = new Recording()) {
            other.start();
        }
    }

    private static void start(int index, Runnable work) throws Exception {
        if (index % 2 == 1 && VirtualThreads.areThere()) {
            VirtualThreads.factory().newThread(work).start();
        } else {
            new Thread(work, "worker-" + index).start();
        }
    }

    @SuppressWarnings("deprecation") // Thread.threadId() is there from JDK 19 on
    private void work(CountDownLatch ended) {
        Worker worker = new Worker(new Random(seed + Thread.currentThread().getId()));
        try {
            for (int chunk = 0; chunk < CHUNKS; chunk++) {
                worker.work();
                if (chunk == 0 && isFirst.getAndSet(false)) {
                    worker.nestDeeply();
                }
                if (chunk + 1 < CHUNKS) {
                    border.await();
                    border.await();
                }
            }
            worker.end();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            ended.countDown();
        }
    }

    /** What one thread does. */
    private static final class Worker {
        private final Random random;
        private final List<Event> open = new ArrayList<>();
        private int count;

        private Worker(Random random) {
            this.random = random;
        }

        private void work() {
            for (int i = 0; i < STEPS; i++) {
                switch (random.nextInt(10)) {
                    case 0:
                    case 1:
                    case 2:
                        begin(random.nextInt(6));
                        break;
                    case 3:
                    case 4:
                        if (!open.isEmpty()) { // the innermost, mostly
                            boolean isAny = random.nextInt(4) == 0;
                            commit(isAny ? random.nextInt(open.size()) : open.size() - 1);
                        }
                        break;
                    case 5:
                        Mark mark = new Mark();
                        mark.text = "mark " + count++;
                        mark.commit();
                        break;
                    case 6:
                        Thread.yield();
                        LockSupport.parkNanos(1000);
                        break;
                    default:
                        Work work = new Work();
                        work.begin();
                        work.number = count++;
                        work.context = "own";
                        work.commit();
                        break;
                }
            }
        }

        // Contexts of contexts, too many to show them all, in one of which something happens.
        private void nestDeeply() {
            Deque<Step> steps = new ArrayDeque<>();
            for (int i = 0; i < DEEP; i++) {
                Step step = new Step();
                step.number = i;
                step.begin();
                steps.push(step);
            }
            new Mark().commit();
            while (!steps.isEmpty()) {
                steps.pop().commit();
            }
        }

        private void begin(int kind) {
            Event event;
            if (kind == 0) {
                Request request = new Request();
                request.traceid = text();
                request.endpoint = random.nextInt(3) == 0 ? null : "/endpoint/" + random.nextInt(5);
                event = request;
            } else if (kind == 1) {
                OtherRequest request = new OtherRequest();
                request.id = random.nextLong();
                event = request;
            } else if (kind == 2) {
                event = everything();
            } else if (kind == 3) {
                Step step = new Step();
                step.number = random.nextInt();
                event = step;
            } else if (kind == 4) {
                Real real = new Real();
                real.f = random.nextInt(3) == 0 ? Float.NaN : random.nextFloat() * 1000;
                real.d = Double.longBitsToDouble(random.nextLong());
                event = real;
            } else {
                event = new Bare();
            }
            event.begin();
            open.add(event);
        }

        private Everything everything() {
            Everything event = new Everything();
            event.isSo = random.nextBoolean();
            event.b = (byte) random.nextInt();
            event.c = "x\u00e9\u20ac\n".charAt(random.nextInt(4));
            event.s = (short) random.nextInt();
            event.i = random.nextInt();
            event.l = random.nextInt(3) == 0 ? Long.MIN_VALUE : random.nextLong();
            event.text = text();
            event.type = random.nextInt(4) == 0 ? null : List.class;
            event.helper = random.nextInt(4) == 0 ? null : Thread.currentThread();
            return event;
        }

        // JFR writes short texts into the event, and long ones into a pool.
        private String text() {
            switch (random.nextInt(6)) {
                case 0:
                    return "";
                case 1:
                    return "\u00e4\u20ac\ud83d\udd0d " + count++;
                case 2:
                    return "long ".repeat(40) + random.nextInt(4);
                case 3:
                    return "\u20ac".repeat(600) + random.nextInt(4); // over 1,024 bytes
                default:
                    return "text " + count++;
            }
        }

        private void commit(int index) {
            open.remove(index).commit();
        }

        private void end() {
            while (!open.isEmpty()) {
                commit(open.size() - 1);
            }
        }
    }
}
