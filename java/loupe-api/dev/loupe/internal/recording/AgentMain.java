// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import dev.loupe.internal.Agent;
import dev.loupe.internal.ContextFields;
import dev.loupe.internal.ContextFilters;
import dev.loupe.internal.ContextTypes;
import dev.loupe.internal.Rings;
import dev.loupe.internal.agent.Native;
import dev.loupe.internal.outside.Outside;
import dev.loupe.internal.ring.OpenContexts;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.FlightRecorder;

/**
 * The entry of the agent to Java: starts the recording and keeps it in order. Called by the agent
 * only.
 */
final class AgentMain {
    private static AgentRecording recording;
    private static LockWaits lockWaits;
    private static Housekeeping housekeeping;
    // The copies of Agent that are active.
    private static final List<WeakReference<Class<?>>> ACTIVE = new ArrayList<>();

    private AgentMain() {}

    /**
     * Starts the recording. Events are recorded when it returns.
     *
     * @return the repository, java.vm.name, java.runtime.version, the settings of this JVM's
     *         own, and the version of the service, empty if it is not known; what went wrong, if it
     * is one text only
     */
    static byte[][] start(String policy, String denied, boolean hasAllFields, int segmentSeconds) {
        try {
            if (!FlightRecorder.isAvailable()) {
                return texts("JDK Flight Recorder is not available in this JVM");
            }
            ContextFields.areUnnamedRecorded = hasAllFields;
            lockWaits = new LockWaits();
            lockWaits.register();
            FlightRecorder.register(Withheld.class);
            recording = new AgentRecording(policy, new DeniedTypes(denied));
            recording.start();
            lockWaits.follow();
            housekeeping = new Housekeeping(recording, lockWaits, segmentSeconds);
            String own = new String(recording.beginOwn(), StandardCharsets.UTF_8);
            return texts(housekeeping.repository(), System.getProperty("java.vm.name"),
                    System.getProperty("java.runtime.version"), own, ServiceVersion.find());
        } catch (Throwable e) {
            stop();
            return texts("the recording does not start: " + e);
        }
    }

    /**
     * Makes the API active, and keeps the recording in order from now on.
     *
     * @param agents every copy of {@link Agent} that there is in this JVM
     */
    static void activate(Class<?>[] agents) {
        OpenContexts.turnOn();
        housekeeping.start();
        adopt(Agent.class); // first: if another copy is active, this one is, too
        for (Class<?> agent : agents) {
            if (agent != Agent.class) {
                adopt(agent);
            }
        }
    }

    private static void adopt(Class<?> agent) {
        try {
            if (!fits(agent)) {
                Native.log(Native.LOG_WARN,
                        "contexts of a class loader are not recorded: its loupe.jar is of another"
                                + " version than the agent, which must be the same: "
                                + agent.getClassLoader());
            } else if (Class.forName(Rings.class.getName(), false, agent.getClassLoader())
                    == Rings.class) {
                activate(agent);
                synchronized (ACTIVE) {
                    ACTIVE.add(new WeakReference<>(agent));
                    if (Native.isOff()) { // and Housekeeping may have been here before
                        deactivate(agent);
                    }
                }
                ContextFilters.adopt(agent);
            } else {
                Native.log(Native.LOG_WARN,
                        "a class loader prefers its own loupe.jar: " + agent.getClassLoader());
            }
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            Native.log(Native.LOG_WARN, "a copy of loupe.jar stays without effect: " + e);
        }
    }

    private static boolean fits(Class<?> agent) throws ReflectiveOperationException {
        try {
            return agent.getField("VERSION").getInt(null) == Agent.VERSION;
        } catch (NoSuchFieldException e) { // a copy from before there were versions
            return false;
        }
    }

    // Types that were registered before go first, so that none of their contexts is missed. While
    // they are registered, code of the application may register others.
    private static void activate(Class<?> agent) throws ReflectiveOperationException {
        Method activate = agent.getMethod("activate");
        Class<?>[] early;
        do {
            early = (Class<?>[]) activate.invoke(null);
            for (Class<?> type : early) {
                ContextTypes.adopt(type);
            }
        } while (early.length > 0);
    }

    private static void deactivate(Class<?> agent) throws ReflectiveOperationException {
        agent.getField("isActive").setBoolean(null, false);
    }

    /** Makes the API inactive and switches lock waits off, for good. Can be called again. */
    static void turnOff() throws ReflectiveOperationException {
        synchronized (ACTIVE) {
            for (WeakReference<Class<?>> reference : ACTIVE) {
                Class<?> agent = reference.get();
                if (agent != null) {
                    deactivate(agent);
                }
            }
        }
        lockWaits.off();
        Outside.turnOff();
    }

    /** Undoes {@link #start}, also if it failed. Can be called again. */
    static void stop() {
        if (lockWaits != null) {
            lockWaits.off();
        }
        if (recording != null) {
            recording.end();
            recording = null;
        }
    }

    private static byte[][] texts(String... texts) {
        byte[][] bytes = new byte[texts.length][];
        for (int i = 0; i < texts.length; i++) {
            bytes[i] = Native.utf8(String.valueOf(texts[i]));
        }
        return bytes;
    }
}
