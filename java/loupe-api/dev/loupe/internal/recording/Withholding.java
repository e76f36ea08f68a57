// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import dev.loupe.internal.agent.Native;
import dev.loupe.internal.carry.CarryMain;
import dev.loupe.internal.outside.Outside;
import dev.loupe.internal.ring.OpenContexts;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
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

    private static final String TRACE_CLASS = "jdk.jfr.events.MethodTraceEvent";
    private static final String DYNAMIC = "jdk.jfr.DynamicEvent"; // and a number: EventFactory's

    private final AgentRecording recording;
    private final Runnable report = this::report;
    private final Runnable takeCounts = () -> Outside.takeCounts(Withholding::commit);
    private final Set<Class<?>> known = Collections.newSetFromMap(new WeakHashMap<>());
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
        lookAtNoted();
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
            isReady = prepare();
            isTried = true; // not if memory was short
        }
        return isReady;
    }

    private boolean prepare() {
        if (CarryMain.isTraining() || !Native.startEvents()) {
            return false;
        }
        FlightRecorder.removeListener(this); // of a try before
        FlightRecorder.addListener(this);
        FlightRecorder.removePeriodicEvent(report);
        FlightRecorder.addPeriodicEvent(Withheld.class, report);
        return true;
    }

    // Looks at event classes that are new, if one was noted. While one is being loaded, or JFR does
    // not know it yet, nothing is withheld.
    private void lookAtNoted() {
        int noted = Outside.noted();
        Class<?>[] loaded = Outside.knowsAll() ? null : Native.listEvents();
        if (loaded == null) {
            return;
        }
        boolean areKnown = true;
        for (Class<?> type : loaded) {
            if (!known.contains(type)) {
                areKnown &= look(type);
            }
        }
        if (areKnown) {
            Outside.know(noted);
        }
    }

    private boolean look(Class<?> type) {
        if (type.getName().startsWith(DYNAMIC) && type.getClassLoader() == null) {
            try {
                noteIf(AgentRecording.isContextual(typeOf(type)), type);
            } catch (IllegalStateException e) {
                return false; // it is not registered yet
            }
        } else if (!type.getName().equals(TRACE_CLASS)) {
            noteKind(type);
        }
        known.add(type);
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
            EventType registered = registeredAs(type);
            if (registered == null || !policy.wantsContext(registered.getName())) {
                return;
            }
            known.begin(registered.getName(), registered.getId());
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
    private static EventType registeredAs(Class<?> type) {
        try {
            return typeOf(type);
        } catch (IllegalStateException e) {
            return null;
        }
    }

    private static EventType typeOf(Class<?> type) {
        return EventType.getEventType(type.asSubclass(Event.class));
    }

    private static void noteKind(Class<?> type) {
        try {
            boolean isSo = isContextual(type.getAnnotations());
            for (Field field : type.getDeclaredFields()) {
                isSo |= isContextual(field.getAnnotations());
            }
            noteIf(isSo, type);
        } catch (RuntimeException | LinkageError e) {
            noteIf(true, type); // it may be
        }
    }

    private static void noteIf(boolean isContextual, Class<?> type) {
        if (isContextual) {
            Outside.noteContextual(type.getName());
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
        try {
            Recorded.during(takeCounts);
        } catch (ReflectiveOperationException e) {
            Native.log(Native.LOG_DEBUG, "events that were withheld are not counted: " + e);
        }
    }

    private static boolean commit(long eventType, long count) {
        Withheld event = new Withheld();
        if (!event.shouldCommit()) {
            return false;
        }
        event.eventType = eventType;
        event.count = count;
        event.commit();
        return true;
    }
}
