// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;

/**
 * Makes a recording of a program that does random things: contexts of every kind on platform and,
 * where there are some, virtual threads, over several chunks, with events of all types and fields.
 *
 * <pre>RandomRecording OUT.jfr SEED KILOBYTES CHUNK_MILLIS</pre>
 *
 * It goes on until the chunks have that many kilobytes, and begins a new one so often. The random
 * choices of each thread follow from the seed, what comes of them does not: the threads race.
 */
public final class RandomRecording {
    private static final int PLATFORM_THREADS = 3;
    private static final int VIRTUAL_THREADS = 8;
    private static final int LARGE_TEXT = 140_000; // beyond what JFR takes into its string pool
    // A thousand of each in a chunk, which say no more than a few of their like: half the time
    // of whoever reads a small recording.
    private static final Set<String> MANY = Set.of(
            "jdk.ModuleExport", "jdk.ModuleRequire", "jdk.BooleanFlag", "jdk.CompilerInlining");
    private static final long LIMIT_NANOS = 120_000_000_000L;

    private final RandomWork.Shared shared = new RandomWork.Shared();
    private final Random random;
    private int typeCount;

    private RandomRecording(long seed) {
        random = new Random(seed);
    }

    public static void main(String[] args) throws Exception {
        Path out = Path.of(args[0]);
        long kilobytes = Long.parseLong(args[2]);
        long chunkMillis = Long.parseLong(args[3]);
        RandomRecording program = new RandomRecording(Long.parseLong(args[1]));
        program.makeTypes();
        try (Recording recording = new Recording()) {
            program.enable(recording);
            recording.start();
            program.run(recording, kilobytes << 10, chunkMillis);
            recording.stop();
            recording.dump(out);
        }
        System.out.println(Files.size(out) + " bytes");
        System.exit(0); // threads that nobody waits for
    }

    // Most of what there is, with any duration. Stack traces and what is written into every chunk
    // make up most of a recording, so only some of these.
    private void enable(Recording recording) {
        for (Class<? extends Event> type : RandomEvents.TYPES) {
            FlightRecorder.register(type);
        }
        for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
            String name = type.getName();
            if (name.startsWith("jdk.") && random.nextInt(3) == 0) {
                continue;
            }
            if (MANY.contains(name)) {
                recording.disable(name);
                continue;
            }
            recording.enable(name).withThreshold(Duration.ZERO);
            if (random.nextInt(3) == 0) {
                recording.enable(name).withStackTrace();
            } else {
                recording.enable(name).withoutStackTrace();
            }
        }
        recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
        recording.enable("jdk.NativeMethodSample").withPeriod(Duration.ofMillis(10));
    }

    private void run(Recording recording, long bytes, long chunkMillis) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < PLATFORM_THREADS; i++) {
            threads.add(new Thread(work(Integer.MAX_VALUE, i == 0 ? 0 : 20_000), "worker-" + i));
        }
        ThreadFactory factory = VirtualThreads.areThere() ? VirtualThreads.factory() : null;
        for (int i = 0; i < VIRTUAL_THREADS && factory != null; i++) {
            threads.add(factory.newThread(work(Integer.MAX_VALUE, 50_000)));
        }
        threads.forEach(Thread::start);
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (recording.getSize() < bytes) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "less than " + bytes + " bytes: " + recording.getSize());
            }
            LockSupport.parkNanos(chunkMillis * 1_000_000);
            startShortLived(factory);
            makeTypes();
            nextSettings(recording);
            beginChunk();
        }
        shared.isOver = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private RandomWork work(int steps, int pauseNanos) {
        return new RandomWork(shared, random.nextLong(), steps, pauseNanos);
    }

    private void startShortLived(ThreadFactory factoryOrNull) {
        for (int i = random.nextInt(5); i > 0; i--) {
            new Thread(work(random.nextInt(100), 1000)).start();
            if (factoryOrNull != null) {
                factoryOrNull.newThread(work(random.nextInt(100), 1000)).start();
            }
        }
    }

    // Now and then: chunks with the same metadata are a case of their own.
    private void makeTypes() throws ClassNotFoundException {
        if (typeCount == 0 || random.nextInt(4) == 0) {
            typeCount++;
            shared.plain.set(RandomEvents.newType("rnd.Plain" + typeCount, false, random));
            shared.contextual.set(RandomEvents.newType("rnd.Created" + typeCount, true, random));
        }
    }

    // Of some chunks it is not said which settings they have.
    private void nextSettings(Recording recording) {
        if (random.nextInt(4) == 0) {
            recording.disable("jdk.ActiveSetting");
        } else {
            recording.enable("jdk.ActiveSetting");
        }
    }

    // A second recording begins a chunk when it begins, and another when it ends.
    private void beginChunk() {
        RandomEvents.All large = new RandomEvents.All();
        large.fill(random);
        large.text = "\u00fcx".repeat(random.nextInt(LARGE_TEXT / 2));
        large.commit();
        try (Recording other = new Recording()) {
            other.start();
            if (random.nextBoolean()) {
                LockSupport.parkNanos(random.nextInt(10_000_000));
            }
        }
    }
}
