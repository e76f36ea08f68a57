// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import dev.loupe.internal.agent.Native;
import dev.loupe.internal.carry.CarryMain;
import dev.loupe.internal.outside.Outside;
import dev.loupe.internal.ring.OpenContexts;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/**
 * Decides which events to withhold: events of the application's types that the collector's policy
 * wants in contexts only. It withholds none while another recording runs or a JFR event is a
 * context.
 *
 * <p>One thread at a time uses it; JFR calls the listener on any.
 */
final class Withholding implements FlightRecorderListener {
    private static final String TRACE = "jdk.MethodTrace";

    private final AgentRecording recording;
    private Thread housekeeping; // it leaves no events in the recording otherwise
    private boolean isTried;
    private boolean isReady; // event classes can be rewritten
    private boolean isToldOff;

    Withholding(AgentRecording recording) {
        this.recording = recording;
    }

    /**
     * Finds out which events to withhold now.
     *
     * @param isSettled the recording has the collector's last policy
     */
    void follow(boolean isSettled) throws ReflectiveOperationException {
        Policy policy = isSettled ? recording.central() : null;
        if (policy == null || !policy.selectsByContext() || makesContexts(policy) || !isAlone()
                || !isReady()) {
            Outside.turnOff();
            return;
        }
        for (Class<?> type : eventClasses()) {
            follow(type, policy);
        }
        if (Outside.contextual() != null || !OpenContexts.isSure()) {
            tellOff();
            Outside.turnOff();
            return;
        }
        Outside.turnOn();
        if (!isAlone()) { // the listener may have been called just before that
            Outside.turnOff();
        }
    }

    // The JDK annotates one of its types, whose filter names the methods that are traced.
    private boolean makesContexts(Policy policy) {
        boolean isTracing = recording.setting(TRACE + "#enabled").equals("true")
                && !recording.setting(TRACE + "#filter").isEmpty();
        return policy.makesContexts() || (isTracing && !policy.deniesContexts(TRACE));
    }

    private void tellOff() {
        if (!isToldOff) {
            isToldOff = true;
            Native.log(Native.LOG_INFO,
                    "the JVM records events outside of contexts, too: "
                            + (Outside.contextual() != null
                                            ? "events of " + Outside.contextual()
                                                    + " may be contexts themselves"
                                            : "it lacked memory or stack to note a context"));
        }
    }

    /**
     * JFR calls it before the start of a recording returns. The next look finds out whose it is.
     */
    @Override
    public void recordingStateChanged(Recording changed) {
        if (changed.getState() == RecordingState.RUNNING) {
            Outside.turnOff();
        }
    }

    private boolean isAlone() {
        for (Recording other : FlightRecorder.getFlightRecorder().getRecordings()) {
            if (other.getState() == RecordingState.RUNNING && !recording.is(other)) {
                return false;
            }
        }
        return true;
    }

    private boolean isReady() {
        if (!isTried) {
            isTried = true;
            isReady = prepare();
        }
        return isReady;
    }

    private boolean prepare() {
        if (CarryMain.isTraining()) {
            return false;
        }
        Class<?>[] loaded = Native.startEvents();
        if (loaded == null) {
            return false; // which is logged
        }
        for (Class<?> type : loaded) {
            if (!type.getName().equals("jdk.jfr.events.MethodTraceEvent")) {
                noteKind(type);
            }
        }
        housekeeping = Thread.currentThread();
        FlightRecorder.addListener(this);
        FlightRecorder.addPeriodicEvent(Withheld.class, this::report);
        return true;
    }

    @SuppressWarnings("unchecked")
    private static List<Class<? extends Event>> eventClasses() throws ReflectiveOperationException {
        return (List<Class<? extends Event>>) JvmCalls.call("getAllEventClasses");
    }

    private static void follow(Class<?> type, Policy policy) throws ReflectiveOperationException {
        if (isOfJdk(type) || !Event.class.isAssignableFrom(type)) {
            return;
        }
        Outside.Type known = Outside.of(type);
        if (known.name() == null) {
            String name = nameOf(type);
            if (name == null || !policy.wantsContext(name)) {
                return;
            }
            known.begin(name);
            retransform(type);
        }
        known.want(policy.wantsContext(known.name()));
    }

    // Has JFR make the class anew, so that it is rewritten.
    private static void retransform(Class<?> type) throws ReflectiveOperationException {
        JvmCalls.call("retransformClasses", Class[].class, new Class<?>[] {type});
    }

    private static boolean isOfJdk(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }

    // Null: the type is not registered.
    private static String nameOf(Class<?> type) {
        try {
            return EventType.getEventType(type.asSubclass(Event.class)).getName();
        } catch (IllegalStateException e) {
            return null;
        }
    }

    // Classes that are loaded later are the agent's matter (jvmti_events.h).
    private static void noteKind(Class<?> type) {
        try {
            if (isContextual(type.getAnnotations())) {
                Outside.noteContextual(type.getName());
            }
            for (Field field : type.getDeclaredFields()) {
                if (isContextual(field.getAnnotations())) {
                    Outside.noteContextual(type.getName());
                }
            }
        } catch (RuntimeException | LinkageError e) {
            Outside.noteContextual(type.getName()); // it may be
        }
    }

    private static boolean isContextual(Annotation[] annotations) {
        for (Annotation annotation : annotations) {
            if (annotation.annotationType().getSimpleName().equals("Contextual")) {
                return true;
            }
        }
        return false;
    }

    // JFR calls it at the end of each chunk, on the thread that ends it.
    private void report() {
        boolean isOwn = Thread.currentThread() == housekeeping;
        try {
            if (isOwn) {
                Recorded.include();
            }
            try {
                Outside.takeCounts(Withholding::commit);
            } finally {
                if (isOwn) {
                    Recorded.exclude();
                }
            }
        } catch (ReflectiveOperationException e) {
            Native.log(Native.LOG_DEBUG, "events that were withheld are not counted: " + e);
        }
    }

    private static void commit(String name, long count) {
        for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
            if (type.getName().equals(name)) {
                Withheld event = new Withheld();
                event.eventType = type.getId();
                event.count = count;
                event.commit();
                return;
            }
        }
    }
}
