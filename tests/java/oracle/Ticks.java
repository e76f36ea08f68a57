// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * JFR's own clock, so that a test program can say between which two moments it did something.
 * Needs --add-exports jdk.jfr/jdk.jfr.internal=ALL-UNNAMED.
 */
final class Ticks {
    private static final MethodHandle COUNTER_TIME = counterTime();

    private Ticks() {}

    private static MethodHandle counterTime() {
        try {
            Class<?> jvm = Class.forName("jdk.jfr.internal.JVM");
            return MethodHandles.lookup().findStatic(
                    jvm, "counterTime", MethodType.methodType(long.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static long now() {
        try {
            return (long) COUNTER_TIME.invokeExact();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /**
     * A moment that no action before or after it shares: at equal ticks the order of two actions
     * would not be seen in the recording.
     */
    static long between() {
        long before = now();
        long moment;
        do {
            moment = now();
        } while (moment == before);
        while (now() == moment) {
            Thread.onSpinWait();
        }
        return moment;
    }
}
