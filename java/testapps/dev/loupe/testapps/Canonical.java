// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import jdk.jfr.AnnotationElement;
import jdk.jfr.EventType;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedObject;

/**
 * Everything that the JDK's reader shows of an event as text: its type with fields and annotations,
 * and each value, whole stack traces, threads and classes included. Large nested values appear as a
 * hash.
 *
 * An event type with a sampledThread and without an eventThread may gain an eventThread with the
 * same value: that is how a recording lets `jfr print` find the context of a sample.
 */
final class Canonical {
    private static final int TEXT_MAX = 60;

    private final Map<RecordedObject, String> objects = new IdentityHashMap<>();
    private final Map<Long, String> types = new HashMap<>();
    String event(RecordedEvent event) {
        EventType type = event.getEventType();
        boolean mayGainThread = mayGainThread(type.getFields());
        // An id may mean another type in a later chunk, so the name is part of the key.
        String typeText = types.computeIfAbsent(type.getId() * 31 + type.getName().hashCode(),
                id -> type.getName() + "#" + hash(describe(type, mayGainThread)));
        StringBuilder out = new StringBuilder(typeText).append('{');
        for (ValueDescriptor field : type.getFields()) {
            Object value = read(event, field.getName());
            if (mayGainThread && field.getName().equals("eventThread")) {
                if (!value(value).equals(value(read(event, "sampledThread")))) {
                    out.append(" eventThread differs from sampledThread: ").append(value(value));
                }
                continue;
            }
            out.append(' ').append(field.getName()).append('=').append(value(value));
        }
        return out.append('}').toString();
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

    // A constant that the recording does not have: a null to the reader, or a ClassCastException of
    // its own.
    private static Object read(RecordedObject object, String field) {
        try {
            return object.getValue(field);
        } catch (ClassCastException e) {
            return null;
        }
    }

    private static boolean mayGainThread(List<ValueDescriptor> fields) {
        return fields.stream().anyMatch(f -> f.getName().equals("sampledThread"));
    }

    private String describe(EventType type, boolean mayGainThread) {
        List<String> lines = new ArrayList<>();
        for (ValueDescriptor field : type.getFields()) {
            if (!(mayGainThread && field.getName().equals("eventThread"))) {
                lines.add(describe(field));
            }
        }
        return type.getName() + '|' + type.getLabel() + '|' + type.getDescription() + '|'
                + type.getCategoryNames() + '|' + annotations(type.getAnnotationElements()) + '|'
                + lines;
    }

    private String describe(ValueDescriptor field) {
        return field.getName() + ':' + field.getTypeName() + (field.isArray() ? "[]" : "") + '|'
                + field.getLabel() + '|' + field.getDescription() + '|'
                + annotations(field.getAnnotationElements());
    }

    private static String annotations(List<AnnotationElement> annotations) {
        TreeSet<String> out = new TreeSet<>();
        for (AnnotationElement annotation : annotations) {
            TreeMap<String, String> values = new TreeMap<>();
            for (ValueDescriptor member : annotation.getValueDescriptors()) {
                Object value = annotation.getValue(member.getName());
                values.put(member.getName(),
                        value instanceof Object[] array ? Arrays.deepToString(array)
                                                        : String.valueOf(value));
            }
            out.add(annotation.getTypeName() + values);
        }
        return out.toString();
    }

    private String value(Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof RecordedObject object) {
            return object(object);
        }
        if (value instanceof Object[] array) {
            List<String> out = new ArrayList<>(array.length);
            for (Object element : array) {
                out.add(value(element));
            }
            return shorten(out.toString());
        }
        if (value instanceof String s) {
            return shorten('"' + s + '"');
        }
        if (value instanceof Character c) {
            return "char " + (int) c;
        }
        return value.getClass().isArray() ? shorten(Arrays.deepToString(new Object[] {value}))
                                          : value.toString();
    }

    private String object(RecordedObject object) {
        String known = objects.get(object);
        if (known != null) {
            return known;
        }
        StringBuilder out = new StringBuilder(object.getClass().getSimpleName()).append('{');
        for (ValueDescriptor field : object.getFields()) {
            out.append(' ')
                    .append(field.getName())
                    .append('=')
                    .append(value(read(object, field.getName())));
        }
        String text = shorten(out.append('}').toString());
        objects.put(object, text);
        return text;
    }

    private String shorten(String text) {
        return text.length() <= TEXT_MAX ? text : hash(text);
    }
}
