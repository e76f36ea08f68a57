// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;

/**
 * Writes a recording, several chunks long, with far more events than anyone wants: bursts of an
 * event of its own, and a thread that parks all the time.
 *
 * <p>Arguments: path, number of bursts.
 */
public final class ThrottleE2E {
    private static final int BURST = 200;
    private static final int BURSTS_IN_A_CHUNK = 60;
    private static final long BURST_NANOS = 20_000_000;
    private static final long PARK_NANOS = 1_000_000;

    private static volatile boolean isOver;

    @Name("e2e.Throttled")
    @StackTrace(false)
    private static final class Throttled extends Event {
        long seq;
    }

    @Name("e2e.Free")
    @StackTrace(false)
    private static final class Free extends Event {
        long seq;
    }

    private ThrottleE2E() {}

    public static void main(String[] args) throws Exception {
        int bursts = Integer.parseInt(args[1]);
        Thread parker = new Thread(ThrottleE2E::park, "parker");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ThreadPark").withThreshold(Duration.ZERO).withoutStackTrace();
            recording.start();
            parker.start();
            for (int i = 0; i < bursts; i++) {
                burst(i);
                if (i % BURSTS_IN_A_CHUNK == BURSTS_IN_A_CHUNK - 1) {
                    beginChunk();
                }
                LockSupport.parkNanos(BURST_NANOS);
            }
            isOver = true;
            parker.join();
            recording.stop();
            recording.dump(Path.of(args[0]));
        }
        System.out.println("done");
    }

    private static void burst(int number) {
        for (int i = 0; i < BURST; i++) {
            Throttled event = new Throttled();
            event.seq = (long) number * BURST + i;
            event.commit();
        }
        Free event = new Free();
        event.seq = number;
        event.commit();
    }

    // JFR begins a new chunk when a recording starts.
    private static void beginChunk() {
        try (Recording other = new Recording()) {
            other.start();
        }
    }

    private static void park() {
        while (!isOver) {
            LockSupport.parkNanos(PARK_NANOS);
        }
    }
}
