// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import java.lang.reflect.Method;
import java.util.concurrent.TimeUnit;
import jdk.jfr.internal.JVM;

/**
 * Compares JFR's clock with the wall clock. While the wall clock is behind, JFR can begin one chunk
 * only, and the agent leaves it to the end of the JVM.
 *
 * <p>JFR's clock never goes back: while the wall clock is behind, it stands. Newer JDKs give each
 * chunk a millisecond of its own, so one chunk can begin while it stands. For the next one JFR
 * waits until the wall clock has caught up, and holds its lock meanwhile.
 */
final class ChunkClock {
    private final Method now; // of JFR's clock; null: this JDK waits for nothing

    ChunkClock() {
        Method found;
        try {
            found = JVM.class.getMethod("nanosNow");
        } catch (NoSuchMethodException e) {
            found = null;
        }
        now = found;
    }

    /** Returns by how much the wall clock is behind JFR's; 0 or less: it is not. */
    long behindMillis() throws ReflectiveOperationException {
        if (now == null) {
            return 0;
        }
        long jfr = TimeUnit.NANOSECONDS.toMillis((long) now.invoke(null)); // first: it may be later
        return jfr - System.currentTimeMillis();
    }

    /**
     * For when a chunk has begun: JFR's clock goes on to another millisecond, so that one more
     * chunk can begin even if the clock is set back right now.
     */
    void moveOn() throws ReflectiveOperationException, InterruptedException {
        if (now == null) {
            return;
        }
        Thread.sleep(2);
        behindMillis();
    }
}
