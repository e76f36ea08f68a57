// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;
import jdk.jfr.Unsigned;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedThread;

/** The fields of events as JSON, as docs/find/ask.md has them. Whole numbers are texts. */
final class OracleFields {
    private static final List<String> OTHERS =
            List.of("startTime", "duration", "eventThread", "stackTrace");

    private static final Map<String, String> CLASS_NAMES = new HashMap<>(); // by those of frames

    private OracleFields() {}

    static String json(RecordedEvent event) {
        return event.getFields()
                .stream()
                .filter(field -> !OTHERS.contains(field.getName()))
                .map(field -> member(event, field))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    static String stack(RecordedEvent event) {
        return event.getStackTrace() == null ? "null"
                                             : event.getStackTrace()
                                                       .getFrames()
                                                       .stream()
                                                       .map(OracleFields::frame)
                                                       .collect(Collectors.joining(", ", "[", "]"));
    }

    /** The name that a thread goes by. */
    static String name(RecordedThread thread) {
        String name = thread.getJavaName();
        name = name != null && !name.isEmpty() ? name : thread.getOSName();
        return name == null ? "" : name;
    }

    /** The name of a frame's method, without the parts that differ from JVM to JVM. */
    static String name(RecordedFrame frame) {
        String className = CLASS_NAMES.computeIfAbsent(
                frame.getMethod().getType().getName(), OracleFields::className);
        return className + "." + frame.getMethod().getName();
    }

    private static String className(String name) {
        return name.replaceAll("[+./]0x[0-9a-fA-F].*", "")
                .replaceAll("(\\$\\$(Lambda|(Enhancer|FastClass)By(SpringCGLIB|CGLIB)|SpringCGLIB)"
                                + "|\\$(HibernateProxy|ByteBuddy))\\$.*",
                        "$1")
                .replaceAll("(Generated(Method|Constructor|SerializationConstructor)Accessor"
                                + "|\\$Proxy)[0-9]+$",
                        "$1")
                .replaceAll("^jdk\\.proxy[0-9]+\\.", "jdk.proxy.");
    }

    private static String frame(RecordedFrame frame) {
        String line = frame.getLineNumber() > 0 ? ":" + frame.getLineNumber() : "";
        return OracleQuery.quote(name(frame) + line);
    }

    private static String name(RecordedMethod method) {
        return method.getType().getName() + "." + method.getName();
    }

    private static String member(RecordedObject object, ValueDescriptor field) {
        return OracleQuery.quote(field.getName()) + ": " + value(object, field);
    }

    private static String value(RecordedObject object, ValueDescriptor field) {
        Object value = object.getValue(field.getName());
        if (value instanceof Number && !field.isArray()) {
            if (field.getAnnotation(Timestamp.class) != null) {
                return point(object.getInstant(field.getName()));
            }
            if (field.getAnnotation(Timespan.class) != null) {
                return length(object.getDuration(field.getName()));
            }
            if (field.getAnnotation(Unsigned.class) != null && !(value instanceof Float)
                    && !(value instanceof Double)) {
                return unsigned((Number) value);
            }
        }
        return value(value);
    }

    private static String point(Instant at) {
        return at.equals(Instant.MIN)
                ? "null"
                : OracleQuery.quote(String.valueOf(Math.addExact(
                        Math.multiplyExact(at.getEpochSecond(), 1_000_000_000L), at.getNano())));
    }

    private static String length(Duration length) {
        try {
            return OracleQuery.quote(String.valueOf(length.toNanos()));
        } catch (ArithmeticException e) {
            return length.isNegative() ? "null" : "\"9223372036854775807\"";
        }
    }

    private static String unsigned(Number value) {
        int bits = value instanceof Byte   ? 8
                : value instanceof Short   ? 16
                : value instanceof Integer ? 32
                                           : 64;
        return OracleQuery.quote(
                Long.toUnsignedString(value.longValue() << (64 - bits) >>> (64 - bits)));
    }

    private static String value(Object value) {
        if (value == null || value instanceof Boolean) {
            return String.valueOf(value);
        }
        if (value instanceof RecordedThread) {
            return OracleQuery.quote(name((RecordedThread) value));
        }
        if (value instanceof RecordedClass) {
            return OracleQuery.quote(((RecordedClass) value).getName());
        }
        if (value instanceof RecordedMethod) {
            return OracleQuery.quote(name((RecordedMethod) value));
        }
        if (value instanceof RecordedObject) {
            RecordedObject object = (RecordedObject) value;
            return object.getFields()
                    .stream()
                    .map(field -> member(object, field))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof Object[]) {
            return Stream.of((Object[]) value)
                    .map(OracleFields::value)
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        return OracleQuery.quote(OracleQuery.replaceLone(String.valueOf(value)));
    }
}
