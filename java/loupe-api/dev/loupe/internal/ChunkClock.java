// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import java.lang.reflect.Method;
import java.util.concurrent.TimeUnit;
import jdk.jfr.internal.JVM;

/**
 * Tells when JFR must not be made to begin a chunk, as the wall clock was set back.
 *
 * <p>JFR's wall clock never goes back: while that of the machine is behind, it stands. Newer JDKs
 * give each chunk a millisecond of its own, so one chunk can begin while it stands; for the next
 * JFR waits until the machine's clock has caught up, with its lock held. The end of the JVM begins
 * one, as it were: it must not find that another has taken the millisecond, and even less one that
 * waits.
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

    /** By how much the wall clock is behind JFR's; 0 or less: it is not. */
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
        Thread.sleep(2);
        behindMillis();
    }
}
