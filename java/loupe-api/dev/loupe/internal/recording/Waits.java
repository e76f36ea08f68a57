// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import dev.loupe.internal.agent.Native;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;

/**
 * The event types of waits of threads, and their thresholds in the settings of a {@link
 * jdk.jfr.Recording}.
 */
final class Waits {
    static final String[] TYPES = {"jdk.ThreadPark", "jdk.JavaMonitorWait", "jdk.JavaMonitorEnter",
            "dev.loupe.VirtualThreadMonitorEnter", "jdk.SocketRead", "jdk.SocketWrite",
            "jdk.FileRead", "jdk.FileWrite", "jdk.FileForce", "jdk.ThreadSleep"};

    // That say which of a type are recorded.
    private static final String[] SETTINGS = {"enabled", "threshold", "throttle"};

    private Waits() {}

    /** Returns whether the same waits are recorded by two settings. */
    static boolean areSame(Map<String, String> one, Map<String, String> other) {
        for (String type : TYPES) {
            for (String setting : SETTINGS) {
                String key = type + '#' + setting;
                if (!Objects.equals(one.get(key), other.get(key))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns the lowest threshold of the enabled types; MAX_VALUE if none is enabled. */
    static long least(Map<String, String> settings) {
        return least(settings, settings);
    }

    /** The same for the types that other settings enable as well. */
    static long least(Map<String, String> settings, Map<String, String> others) {
        long least = Long.MAX_VALUE;
        for (String type : TYPES) {
            if (isEnabled(settings, type) && isEnabled(others, type)) {
                least = Math.min(least, threshold(settings, type));
            }
        }
        return least;
    }

    /** Raises the thresholds that are below a floor. */
    static void raise(Map<String, String> settings, long floorNanos) {
        for (String type : TYPES) {
            if (floorNanos > 0 && threshold(settings, type) < floorNanos) {
                settings.put(type + "#threshold", floorNanos + " ns");
            }
        }
    }

    /**
     * Returns the ids of the enabled types that this JVM has: at most as many as there are names,
     * if several types have one name.
     */
    static long[] ids(Map<String, String> settings) {
        long[] ids = new long[TYPES.length];
        int count = 0;
        for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
            boolean isWait = isOne(type.getName()) && isEnabled(settings, type.getName());
            if (isWait && count < ids.length) {
                ids[count++] = type.getId();
            }
        }
        return Arrays.copyOf(ids, count);
    }

    private static boolean isOne(String name) {
        for (String type : TYPES) {
            if (type.equals(name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isEnabled(Map<String, String> settings, String type) {
        return "true".equals(settings.get(type + "#enabled"));
    }

    // Without a setting, or with one that is no timespan, JFR has 0.
    private static long threshold(Map<String, String> settings, String type) {
        String said = settings.get(type + "#threshold");
        return said == null ? 0 : Math.max(Native.parseTimespan(said), 0);
    }
}
