// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import jdk.jfr.AnnotationElement;
import jdk.jfr.EventType;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedClassLoader;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordedThreadGroup;

/**
 * Everything that the JDK's reader shows of an event as text: its type with fields and annotations,
 * and each value, whole stack traces, threads and classes included. Annotations that Loupe adds are
 * left out.
 */
final class Canonical {
    /** Longer values are a hash, good for comparing; a text of any length is good for reading. */
    static final int SHORT = 60;
    static final int WHOLE = Integer.MAX_VALUE;
    private static final Set<String> ADDED_TO_FIELDS = Set.of("jdk.jfr.Contextual");
    private static final Set<String> ADDED_TO_TYPES =
            Set.of("dev.loupe.jfr.ContextAware", "dev.loupe.jfr.Contextual");

    private final int textMax;
    private final ToIntFunction<EventType> addedCount;
    private final Map<RecordedObject, String> constants = new IdentityHashMap<>();
    private final Map<EventType, Type> types = new IdentityHashMap<>();

    Canonical(int textMax) {
        this(textMax, type -> 0);
    }

    /** Of each type this leaves out so many of the last fields. */
    Canonical(int textMax, ToIntFunction<EventType> addedCount) {
        this.textMax = textMax;
        this.addedCount = addedCount;
    }

    /** The parts that all events of a type share in a chunk. */
    private record Type(String text, List<String> fields, List<String> times) {}

    /** Forgets the constants of a chunk, which would stay in memory otherwise. */
    void clear() {
        constants.clear();
        types.clear();
    }

    /** The type and all values; times are ticks, as they are in the recording. */
    String event(RecordedEvent event) {
        Type type = type(event.getEventType());
        StringBuilder out = new StringBuilder(type.text).append('{');
        for (String field : type.fields) {
            out.append(' ').append(field).append('=');
            append(out, read(event, field));
        }
        return out.append('}').toString();
    }

    /** The same, field by field, and the type under the name "type". */
    Map<String, String> fields(RecordedEvent event) {
        Type type = type(event.getEventType());
        Map<String, String> out = new LinkedHashMap<>();
        out.put("type", type.text);
        for (String field : type.fields) {
            out.put(field, text(read(event, field)));
        }
        return out;
    }

    /** The times that ticks stand for: start, end, and whatever else is one, to the nanosecond. */
    String times(RecordedEvent event) {
        StringBuilder out = new StringBuilder();
        if (startsWithTime(event.getEventType())) {
            out.append(event.getStartTime()).append(' ').append(event.getEndTime());
        }
        for (String field : type(event.getEventType()).times) {
            out.append(' ').append(field).append('=');
            out.append(timestampOrNull(event, field) != null ? event.getInstant(field)
                                                             : event.getDuration(field));
        }
        return out.toString();
    }

    /** The same, by another clock than the one that the reader has chosen. */
    String times(RecordedEvent event, OracleFile.Clock clock) {
        StringBuilder out = new StringBuilder();
        if (startsWithTime(event.getEventType())) {
            long start = OracleFile.ticks(event);
            long end = start + (event.hasField("duration") ? (long) event.getValue("duration") : 0);
            out.append(clock.instant(start)).append(' ').append(clock.instant(end));
        }
        for (String field : type(event.getEventType()).times) {
            Timestamp timestamp = timestampOrNull(event, field);
            out.append(' ').append(field).append('=');
            if (timestamp == null) {
                out.append(event.getDuration(field));
            } else if (timestamp.value().equals(Timestamp.TICKS)) {
                out.append(clock.instant((long) event.getValue(field)));
            } else {
                out.append(event.getInstant(field));
            }
        }
        return out.toString();
    }

    // The JDK's readers take the first field for the start, be it a key. (The field startTime
    // itself is among the others.)
    private static boolean startsWithTime(EventType type) {
        return type.getFields().get(0).getName().equals("startTime");
    }

    private static Timestamp timestampOrNull(RecordedEvent event, String field) {
        return event.getEventType().getField(field).getAnnotation(Timestamp.class);
    }

    /** The value of a field, as {@link #event} has it. */
    String text(Object value) {
        StringBuilder out = new StringBuilder();
        append(out, value);
        return out.toString();
    }

    // 128 bits, for texts that nobody chose to collide.
    private static String hash(String text) {
        long one = 0x9e3779b97f4a7c15L;
        long two = text.length();
        for (int i = 0; i < text.length(); i++) {
            one = (one ^ text.charAt(i)) * 0x100000001b3L;
            two = (two + text.charAt(i)) * 0xd6e8feb86659fd93L;
            two ^= two >>> 32;
        }
        return Long.toHexString(one) + Long.toHexString(two);
    }

    /**
     * Reads a field. A constant that the recording does not have is a null to the JDK's reader, or
     * a ClassCastException of its own.
     */
    static Object read(RecordedObject object, String field) {
        try {
            return object.getValue(field);
        } catch (ClassCastException e) {
            return null;
        }
    }

    private Type type(EventType type) {
        return types.computeIfAbsent(type, this::describe);
    }

    private Type describe(EventType type) {
        List<String> names = new ArrayList<>();
        List<String> times = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        int count = Math.max(0, type.getFields().size() - addedCount.applyAsInt(type));
        for (ValueDescriptor field : type.getFields().subList(0, count)) {
            names.add(field.getName());
            lines.add(describe(field));
            if (field.getTypeName().equals("long")
                    && (field.getAnnotation(Timestamp.class) != null
                            || field.getAnnotation(Timespan.class) != null)) {
                times.add(field.getName());
            }
        }
        String text = type.getName() + '|' + type.getLabel() + '|' + type.getDescription() + '|'
                + type.getCategoryNames() + '|'
                + annotations(type.getAnnotationElements(), ADDED_TO_TYPES) + '|' + lines;
        String shortened = textMax == WHOLE ? text : type.getName() + '#' + hash(text);
        return new Type(shortened, names, times);
    }

    private static String describe(ValueDescriptor field) {
        return field.getName() + ':' + field.getTypeName() + (field.isArray() ? "[]" : "") + '|'
                + field.getLabel() + '|' + field.getDescription() + '|'
                + annotations(field.getAnnotationElements(), ADDED_TO_FIELDS);
    }

    // All but the one that Loupe may have added.
    private static String annotations(List<AnnotationElement> annotations, Set<String> added) {
        TreeSet<String> out = new TreeSet<>();
        for (AnnotationElement annotation : annotations) {
            TreeMap<String, String> values = new TreeMap<>();
            for (ValueDescriptor member : annotation.getValueDescriptors()) {
                Object value = annotation.getValue(member.getName());
                values.put(member.getName(),
                        value instanceof Object[] array ? Arrays.deepToString(array)
                                                        : String.valueOf(value));
            }
            if (!added.contains(annotation.getTypeName())) {
                out.add(annotation.getTypeName() + values);
            }
        }
        return out.toString();
    }

    private void append(StringBuilder out, Object value) {
        if (value instanceof RecordedObject object) {
            if (isShared(object)) {
                out.append(constant(object));
            } else {
                appendFields(out, object);
            }
        } else if (value instanceof Object[] array) {
            out.append('[');
            for (Object element : array) {
                if (!isUnprintable(element)) {
                    append(out, element);
                    out.append(", ");
                }
            }
            out.append(']');
        } else if (value instanceof String s) {
            out.append(shorten('"' + s + '"'));
        } else if (value instanceof Character c) {
            out.append("char ").append((int) c);
        } else if (value instanceof Float f) {
            out.append(f).append(':').append(Float.floatToRawIntBits(f));
        } else if (value instanceof Double d) {
            out.append(d).append(':').append(Double.doubleToRawLongBits(d));
        } else if (value != null && value.getClass().isArray()) {
            out.append(Arrays.deepToString(new Object[] {value}));
        } else {
            out.append(value);
        }
    }

    // HotSpot now and then writes a frame without its method, or a method without its class. `jfr
    // print` fails on these, and Loupe leaves them out.
    private static boolean isUnprintable(Object value) {
        if (!(value instanceof RecordedFrame frame)) {
            return false;
        }
        Object method = read(frame, "method");
        return !(method instanceof RecordedMethod m) || read(m, "type") == null
                || read(m, "descriptor") == null;
    }

    private String constant(RecordedObject object) {
        String known = constants.get(object);
        if (known == null) {
            StringBuilder out = new StringBuilder();
            appendFields(out, object);
            known = shorten(out.toString());
            constants.put(object, known);
        }
        return known;
    }

    private void appendFields(StringBuilder out, RecordedObject object) {
        out.append(object.getClass().getSimpleName()).append('{');
        for (ValueDescriptor field : object.getFields()) {
            out.append(' ').append(field.getName()).append('=');
            append(out, read(object, field.getName()));
        }
        out.append('}');
    }

    // Of a type that the JVM writes once and refers to.
    private static boolean isShared(RecordedObject object) {
        return object instanceof RecordedThread || object instanceof RecordedThreadGroup
                || object instanceof RecordedClass || object instanceof RecordedClassLoader
                || object instanceof RecordedMethod || object instanceof RecordedStackTrace;
    }

    private String shorten(String text) {
        return text.length() <= textMax ? text : hash(text);
    }
}
