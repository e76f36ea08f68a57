// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import dev.loupe.internal.agent.Native;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/**
 * The settings of Loupe's in the recordings that run beside the agent's.
 *
 * <p>JFR begins a chunk when a recording starts or stops, and calls its listeners at once, on the
 * thread that starts or stops it. The listener here reads the settings into a queue for the agent's
 * own thread: it waits for no lock of the agent's.
 */
final class OtherRecordings implements FlightRecorderListener {
    private static final int SEEN_MAX =
            1024; // in the queue; a full one costs up to a second of delay

    /** The settings that are in force from a time on. */
    static final class Seen {
        final Map<String, String> settings;
        final long fromNanos; // wall time, as JFR's chunks have it

        Seen(Map<String, String> settings, Instant from) {
            this.settings = settings;
            fromNanos = TimeUnit.SECONDS.toNanos(from.getEpochSecond()) + from.getNano();
        }
    }

    private final LinkedBlockingQueue<Seen> seen = new LinkedBlockingQueue<>(SEEN_MAX);
    private final AtomicLong looks = new AtomicLong();
    private volatile long agentsId = -1;
    private long lastLook; // the latest whose result is in the queue

    // No lambdas here, see OwnPolicy.

    /** Excludes the agent's recording, before it starts. */
    void except(Recording agents) {
        agentsId = agents.getId();
    }

    void watch() {
        FlightRecorder.addListener(this);
    }

    void unwatch() {
        FlightRecorder.removeListener(this);
    }

    /** Removes the oldest result from the queue; null: the queue stays empty for that long. */
    Seen await(long nanos) throws InterruptedException {
        return seen.poll(nanos, TimeUnit.NANOSECONDS);
    }

    /** The same without waiting. */
    Seen poll() {
        return seen.poll();
    }

    @Override
    public void recordingStateChanged(Recording recording) {
        try {
            RecordingState state = recording.getState();
            boolean hasChunk = state == RecordingState.RUNNING || state == RecordingState.STOPPED;
            if (hasChunk && recording.getId() != agentsId && !Native.isOff()) {
                long look = looks.incrementAndGet(); // first: who looks later sees more
                add(new Seen(look(),
                            state == RecordingState.RUNNING ? recording.getStartTime()
                                                            : recording.getStopTime()),
                        look);
            }
        } catch (Throwable e) {
            // it is the application's thread; the next look sees them
        }
    }

    private synchronized void add(Seen one, long look) {
        if (look > lastLook && seen.offer(one)) {
            lastLook = look;
        }
    }

    /**
     * Looks at the recordings that run now. Of two the settings of the one that was made later come
     * last.
     */
    Map<String, String> look() {
        Map<String, String> now = new LinkedHashMap<>();
        for (Recording recording : FlightRecorder.getFlightRecorder().getRecordings()) {
            if (isRunning(recording)) {
                addOfLoupe(recording.getSettings(), now);
            }
        }
        return now;
    }

    /**
     * Returns the lowest threshold of waits in the recordings that run now, of the types that these
     * settings enable as well; MAX_VALUE if there is none.
     */
    long leastWait(Map<String, String> settings) {
        long least = Long.MAX_VALUE;
        for (Recording recording : FlightRecorder.getFlightRecorder().getRecordings()) {
            if (isRunning(recording)) {
                least = Math.min(least, Waits.least(recording.getSettings(), settings));
            }
        }
        return least;
    }

    private boolean isRunning(Recording recording) {
        return recording.getId() != agentsId && recording.getState() == RecordingState.RUNNING;
    }

    // JFR keeps no order of a recording's settings: those with patterns come first, and of these
    // the ones with fewer characters beside *. Of two for one type, by its name and by its number,
    // the latter counts.
    private static void addOfLoupe(Map<String, String> settings, Map<String, String> out) {
        Map<String, String> ordered = new TreeMap<>();
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            String key = setting.getKey();
            if (Policy.isOfLoupe(key)) {
                String event = nameOf(Policy.eventOf(key));
                String place = rank(event) + event + '#' + Policy.settingOf(key);
                if (event.equals(Policy.eventOf(key))) {
                    ordered.putIfAbsent(place, setting.getValue());
                } else {
                    ordered.put(place, setting.getValue()); // by its number
                }
            }
        }
        for (Map.Entry<String, String> setting : ordered.entrySet()) {
            String key = setting.getKey().substring(1);
            out.remove(key); // a later recording's setting goes behind all others
            out.put(key, setting.getValue());
        }
    }

    // Settings of a recording are ordered by this.
    private static char rank(String event) {
        int characters = event.replace("*", "").length();
        return TypePattern.isPattern(event) ? (char) Math.min(characters, Character.MAX_VALUE - 1)
                                            : Character.MAX_VALUE;
    }

    // Recording.enable(Class) says the number that the type has in this JVM.
    private static String nameOf(String event) {
        if (DeniedTypes.isNumber(event)) {
            for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
                if (event.equals(String.valueOf(type.getId()))) {
                    return type.getName();
                }
            }
        }
        return event;
    }
}
