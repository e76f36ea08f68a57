// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.outside;

import dev.loupe.internal.ring.OpenContexts;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ObjLongConsumer;
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
    // Written by the agent's thread, by JFR's listener and by the JVMTI event of class loading.
    private static volatile boolean isOn;
    // A class whose events may be contexts; null: none was loaded. For good.
    private static volatile String contextual;

    private static final List<Type> ALL = new ArrayList<>(); // guarded by itself
    private static final ClassValue<Type> TYPES = new ClassValue<>() {
        @Override
        protected Type computeValue(Class<?> event) {
            return new Type(startOf(event));
        }
    };

    private Outside() {}

    /** An event class, and the number of its withheld events. */
    public static final class Type {
        private static final long UNKNOWN = -1;

        private final long start; // the offset of the field startTime; UNKNOWN: there is none
        private final LongAdder withheld = new LongAdder();
        private volatile String name; // of the event type; null: begin was not called
        private volatile boolean isWanted;

        private Type(long start) {
            this.start = start;
        }

        /** Returns the name of the event type; null before {@link #begin}. */
        public String name() {
            return name;
        }

        /** Begins to count, for an event type of this name. Once for each. */
        public void begin(String eventType) {
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

    /** Returns a class whose events may be contexts: nothing is withheld. Null: there is none. */
    public static String contextual() {
        return contextual;
    }

    /** Notes that events of a class may be contexts. Called by the agent as it is loaded, too. */
    public static void noteContextual(String className) {
        contextual = className;
    }

    /** Returns whether JFR has to record an event that is being committed. */
    public static boolean shouldCommit(Object event) {
        return ((Event) event).shouldCommit() && (!isOn || contextual != null || !withholds(event));
    }

    private static boolean withholds(Object event) {
        Type type = TYPES.get(event.getClass());
        if (!type.isWanted || type.start == Type.UNKNOWN
                || !OpenContexts.isOutside(Unsafe.getUnsafe().getLong(event, type.start))) {
            return false;
        }
        type.withheld.increment();
        return true;
    }

    /** Passes on how many events of each type were withheld since the last call, if any were. */
    public static void takeCounts(ObjLongConsumer<String> out) {
        synchronized (ALL) {
            for (int i = 0; i < ALL.size(); i++) {
                long count = ALL.get(i).withheld.sumThenReset();
                if (count > 0) {
                    out.accept(ALL.get(i).name, count);
                }
            }
        }
    }
}
