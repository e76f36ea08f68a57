// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;

/**
 * Writes a recording, several chunks long, of threads that allocate objects of a few classes, about
 * as many bytes of each, in an order that nothing predicts; with the events of TLABs and without
 * samples. Counts what it allocates: the JVM's own count of a thread's bytes says how large an
 * object is.
 *
 * <p>Arguments: path, path of the counts (class, tabulator, bytes), number of batches, of 4 MB
 * each.
 */
public final class AllocationE2E {
    private static final int THREADS = 4;
    private static final int BATCH_BYTES = 4 << 20;
    private static final long PAUSE_NANOS = 20_000_000;
    private static final int BATCHES_IN_A_CHUNK = 60;
    private static final int MEASURED = 1000;
    private static final int NODES = 100;
    private static final int BLOCKS = 10_000; // too large for a TLAB of 32 KB
    private static final int KINDS = 4;

    private static final class Small {
        long a;
        long b;
    }

    private static final class Medium {
        long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9;
        long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9;
        long c0, c1, c2, c3, c4, c5, c6, c7, c8, c9;
    }

    private static final class Node {}

    private static final class Block {}

    private static final long[] SIZES = new long[KINDS];
    private static final long[] LIMITS = new long[KINDS]; // of random numbers of 31 bits
    // Objects go there, or the compiler would not allocate them.
    private static final Object[][] KEPT = new Object[THREADS][MEASURED];

    private AllocationE2E() {}

    public static void main(String[] args) throws Exception {
        int batches = Integer.parseInt(args[2]);
        for (int kind = 0; kind < KINDS; kind++) {
            SIZES[kind] = Math.min(measure(kind), measure(kind));
        }
        choose();
        long[][] counts = new long[THREADS][KINDS];
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int index = i;
            threads[i] = new Thread(() -> run(index, batches, counts[index]), "allocator-" + i);
        }
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ObjectAllocationInNewTLAB").withoutStackTrace();
            recording.enable("jdk.ObjectAllocationOutsideTLAB").withoutStackTrace();
            recording.disable("jdk.ObjectAllocationSample");
            recording.start();
            for (Thread thread : threads) {
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            recording.stop();
            recording.dump(Path.of(args[0]));
        }
        Files.writeString(Path.of(args[1]), report(counts));
        System.out.println("done");
    }

    private static Object allocate(int kind) {
        if (kind == 0) {
            return new Small();
        }
        if (kind == 1) {
            return new Medium();
        }
        return kind == 2 ? new Node[NODES] : new Block[BLOCKS];
    }

    @SuppressWarnings("deprecation") // Thread.threadId() is there from JDK 19 on
    private static long measure(int kind) {
        ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        long before = bean.getThreadAllocatedBytes(self);
        for (int i = 0; i < MEASURED; i++) {
            KEPT[0][i] = allocate(kind);
        }
        return (bean.getThreadAllocatedBytes(self) - before) / MEASURED;
    }

    // A kind is the more probable the smaller its objects are.
    private static void choose() {
        double sum = 0;
        for (long size : SIZES) {
            sum += 1.0 / size;
        }
        double limit = 0;
        for (int kind = 0; kind < KINDS; kind++) {
            limit += 1.0 / SIZES[kind] / sum;
            LIMITS[kind] = (long) (limit * (1L << 31));
        }
        LIMITS[KINDS - 1] = 1L << 31;
    }

    private static void run(int index, int batches, long[] counts) {
        Object[] kept = KEPT[index];
        long random = 0x9e3779b97f4a7c15L * (index + 1);
        int next = 0;
        for (int batch = 0; batch < batches; batch++) {
            for (long bytes = 0; bytes < BATCH_BYTES;) {
                random ^= random << 13;
                random ^= random >>> 7;
                random ^= random << 17;
                int kind = 0;
                while (random >>> 33 >= LIMITS[kind]) {
                    kind++;
                }
                kept[next++ % MEASURED] = allocate(kind);
                counts[kind]++;
                bytes += SIZES[kind];
            }
            if (index == 0 && batch % BATCHES_IN_A_CHUNK == BATCHES_IN_A_CHUNK - 1) {
                beginChunk();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    // JFR begins a new chunk when a recording starts.
    private static void beginChunk() {
        try (Recording other = new Recording()) {
            other.start();
        }
    }

    private static String report(long[][] counts) {
        Class<?>[] classes = {Small.class, Medium.class, Node[].class, Block[].class};
        StringBuilder out = new StringBuilder();
        for (int kind = 0; kind < KINDS; kind++) {
            long count = 0;
            for (long[] of : counts) {
                count += of[kind];
            }
            out.append(classes[kind].getName()).append('\t');
            out.append(count * SIZES[kind]).append('\n');
        }
        return out.toString();
    }
}
