// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.EventSettings;
import jdk.jfr.Recording;

/**
 * What the thread that waits pays for an event of JFR, in nanoseconds of processor time: with and
 * without its stack, by the depth of that. A park that returns at once, and a write to /dev/null.
 * JFR looks at no more frames than FlightRecorderOptions=stackdepth says, 64 by default.
 *
 * <pre>
 * java bench/java/EventCost.java
 * java -XX:FlightRecorderOptions=stackdepth=16 bench/java/EventCost.java
 * </pre>
 */
public final class EventCost {
    private static final int[] DEPTHS = {5, 20, 55, 120};
    private static final int TURNS = 10_000;
    private static final int WARM = 4;
    private static final int RUNS = 11;
    private static final long KEPT_BYTES = 20L << 20;

    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

    private final String type;
    private final Turn turn;

    private interface Turn {
        void run() throws IOException;
    }

    private EventCost(String type, Turn turn) {
        this.type = type;
        this.turn = turn;
    }

    public static void main(String[] args) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile("/dev/null", "rw")) {
            new EventCost("jdk.ThreadPark", EventCost::park).print();
            new EventCost("jdk.FileWrite", () -> file.write(1)).print();
        }
    }

    private static void park() {
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park();
    }

    private void print() throws IOException {
        for (int depth : DEPTHS) {
            long off = measure(depth, false, false);
            long bare = measure(depth, true, false);
            long whole = measure(depth, true, true);
            System.out.printf("%-15s depth %3d: off %4d ns, without stack +%4d, with stack +%4d%n",
                    type, depth, off, bare - off, whole - off);
        }
    }

    private long measure(int depth, boolean isOn, boolean hasStack) throws IOException {
        try (Recording recording = new Recording()) {
            if (isOn) {
                EventSettings settings = recording.enable(type).withThreshold(Duration.ZERO);
                settings.with("stackTrace", String.valueOf(hasStack)).with("throttle", "off");
            } else {
                recording.disable(type);
            }
            recording.setMaxSize(KEPT_BYTES);
            recording.start();
            for (int i = 0; i < WARM; i++) {
                descend(depth);
            }
            long[] taken = new long[RUNS];
            for (int i = 0; i < RUNS; i++) {
                taken[i] = descend(depth);
            }
            Arrays.sort(taken);
            return taken[RUNS / 2];
        }
    }

    private long descend(int depth) throws IOException {
        if (depth > 0) {
            return descend(depth - 1);
        }
        long begin = CLOCK.getCurrentThreadCpuTime();
        for (int i = 0; i < TURNS; i++) {
            turn.run();
        }
        return (CLOCK.getCurrentThreadCpuTime() - begin) / TURNS;
    }
}
