// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.outside;

import dev.loupe.internal.ring.OpenContexts;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import jdk.internal.misc.Unsafe;
import jdk.jfr.Event;

/**
 * Withholds events that are outside of all contexts: JFR does not record them. {@code
 * java.util.concurrent.LoupeEvents} calls it from the method {@code commit} of event classes that
 * the agent has rewritten.
 *
 * <p>An event is withheld only if the collector would certainly drop it. In all other cases JFR
 * records it, and the collector decides.
 */
public final class Outside {
    // Written by the agent's thread and by JFR's listener.
    private static volatile boolean isOn;
    // A class whose events may be contexts; null: none was loaded. For good. The agent writes it in
    // the JVMTI event of class loading, and counts there the classes that may be such a class. The
    // first is for all that were loaded before.
    private static volatile String contextual;
    private static volatile int noted = 1;
    private static volatile int known; // as noted was when all those classes were known

    private static final List<Type> ALL = new ArrayList<>(); // guarded by itself
    private static final ClassValue<Type> TYPES = new ClassValue<>() {
        @Override
        protected Type computeValue(Class<?> event) {
            return new Type(event);
        }
    };

    private Outside() {}

    /** An event class, and the number of its withheld events. */
    public static final class Type {
        private static final long UNKNOWN = -1;

        private final WeakReference<Class<?>> event;
        private final long start; // the offset of the field startTime; UNKNOWN: there is none
        private final LongAdder withheld = new LongAdder();
        private long taken; // of withheld; guarded by ALL
        private long id; // of the event type, behind begin
        private volatile String name; // of the event type; null: begin was not called
        private volatile boolean isWanted;

        private Type(Class<?> event) {
            this.event = new WeakReference<>(event);
            this.start = startOf(event);
        }

        /** Returns the name of the event type; null before {@link #begin}. */
        public String name() {
            return name;
        }

        /** Begins to count, for an event type of this name and id. Once for each. */
        public void begin(String eventType, long eventTypeId) {
            id = eventTypeId;
            synchronized (ALL) {
                ALL.add(this);
            }
            name = eventType;
        }

        /** Says whether events of this class are withheld as long as any are. */
        public void want(boolean isSo) {
            isWanted = isSo;
        }
    }

    // JFR adds the field to the class, unless a superclass has it.
    private static long startOf(Class<?> event) {
        for (Class<?> c = event; c != null; c = c.getSuperclass()) {
            try {
                Field field = c.getDeclaredField("startTime");
                return field.getType() == long.class ? Unsafe.getUnsafe().objectFieldOffset(field)
                                                     : Type.UNKNOWN;
            } catch (NoSuchFieldException e) {
                // the next one
            } catch (LinkageError e) {
                return Type.UNKNOWN;
            }
        }
        return Type.UNKNOWN;
    }

    /** Returns the type of an event class. */
    public static Type of(Class<?> event) {
        return TYPES.get(event);
    }

    /** Begins to withhold events. */
    public static void turnOn() {
        isOn = true;
    }

    /** Withholds no event until further notice. */
    public static void turnOff() {
        isOn = false;
    }

    /** Returns whether events are withheld now. */
    public static boolean isWithholding() {
        return isOn && contextual == null && known == noted;
    }

    /** Returns a class whose events may be contexts: nothing is withheld. Null: there is none. */
    public static String contextual() {
        return contextual;
    }

    /** Notes that events of a class may be contexts. */
    public static void noteContextual(String className) {
        contextual = className;
    }

    /**
     * Returns a number that grows with each class that may be one whose events are contexts, before
     * it can have an event. Until {@link #know} gets that number, nothing is withheld.
     */
    public static int noted() {
        return noted;
    }

    /** Returns whether all classes that were noted are known. */
    public static boolean knowsAll() {
        return known == noted;
    }

    /** Says that all classes are known up to a number that noted returned. */
    public static void know(int number) {
        known = number;
    }

    /** Returns whether JFR has to record an event that is being committed. */
    public static boolean shouldCommit(Object event) {
        return ((Event) event).shouldCommit() && !(isWithholding() && withholds(event));
    }

    // The application must not see what this alone throws, of memory or stack being short or a
    // security manager.
    private static boolean withholds(Object event) {
        try {
            return counts(event);
        } catch (VirtualMachineError | LinkageError | RuntimeException e) {
            return false;
        }
    }

    // Counts an event that is withheld.
    private static boolean counts(Object event) {
        Type type = TYPES.get(event.getClass());
        if (!type.isWanted || type.start == Type.UNKNOWN
                || !OpenContexts.isOutside(Unsafe.getUnsafe().getLong(event, type.start))) {
            return false;
        }
        type.withheld.increment();
        return true;
    }

    /** What gets the numbers of withheld events. */
    public interface Counts {
        /** Adds events of a type, by its id. Returns false if it cannot: they stay for later. */
        boolean add(long eventType, long count);
    }

    /** Passes on how many events of each type were withheld since the last call, if any were. */
    public static void takeCounts(Counts out) {
        synchronized (ALL) {
            for (int i = ALL.size() - 1; i >= 0; i--) {
                Type type = ALL.get(i);
                boolean isGone = type.event.get() == null; // first: it counts no more then
                long sum = type.withheld.sum();
                if (sum > type.taken && out.add(type.id, sum - type.taken)) {
                    type.taken = sum;
                }
                if (isGone && type.taken == sum) {
                    ALL.remove(i);
                }
            }
        }
    }
}
