// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import jdk.jfr.AnnotationElement;
import jdk.jfr.Event;
import jdk.jfr.EventFactory;
import jdk.jfr.MetadataDefinition;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;
import jdk.jfr.Unsigned;
import jdk.jfr.ValueDescriptor;

/** The event types of RandomRecording, and values of every kind for them. */
final class RandomEvents {
    // Around the lengths at which JFR goes over to another encoding or to the constant pool.
    private static final int[] LENGTHS = {1, 15, 16, 17, 40, 127, 128, 129, 300, 3000};
    private static final String[] ALPHABETS = {"abcdefghij", "\u00e5\u00e9\u00ff\u00a0\u00df",
            "\u20ac\u4e2d\u6587", "\ud83d\ude00", "\ud834", "\u0000\n\t\"\\<&"};
    private static final Class<?>[] FIELDS = {boolean.class, byte.class, short.class, int.class,
            long.class, char.class, float.class, double.class, String.class, Class.class,
            Thread.class};

    static final List<Class<? extends Event>> TYPES =
            List.of(All.class, Small.class, Bare.class, Request.class, Span.class, Order.class);

    private RandomEvents() {}

    /** A plain event with a field of each type that JFR stores, and of some that it passes over. */
    @Name("rnd.All")
    static class All extends Event {
        boolean truth;
        byte small;
        short medium;
        int number;
        @Unsigned int natural;
        long large;
        char letter;
        float ratio;
        double precise;
        String text;
        Class<?> type;
        Thread other;
        @Timespan(Timespan.NANOSECONDS) long span;
        @Timespan(Timespan.TICKS) long ticks;
        @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH) long wall;
        @Timestamp(Timestamp.TICKS) long tick;
        int[] passedOver = {1};
        Object passedOverToo = "";

        void fill(Random random) {
            truth = random.nextBoolean();
            small = (byte) number(random);
            medium = (short) number(random);
            number = (int) number(random);
            natural = (int) number(random);
            large = number(random);
            letter = (char) number(random);
            ratio = Float.intBitsToFloat((int) number(random));
            precise = Double.longBitsToDouble(number(random));
            text = text(random);
            type = type(random);
            other = random.nextBoolean() ? Thread.currentThread() : null;
            span = number(random);
            ticks = random.nextInt(1_000_000);
            wall = System.currentTimeMillis();
            tick = random.nextInt();
        }
    }

    /** A plain event that is small. */
    @Name("rnd.Small")
    @StackTrace(false)
    static class Small extends Event {
        long number;
    }

    /** A plain event without a field of its own. */
    @Name("rnd.Bare")
    static class Bare extends Event {}

    /** A context by a field. */
    @Name("rnd.Request")
    @StackTrace(false)
    static class Request extends Event {
        @dev.loupe.jfr.Contextual long id;
        @dev.loupe.jfr.Contextual String user;
        int plain;
    }

    /** A context by an annotation of somebody else's, on the type. */
    @Name("rnd.Span")
    @Contextual
    static class Span extends Event {
        String name;
    }

    /** A context only if the policy says so. */
    @Name("rnd.Order")
    static class Order extends Event {
        int number;
        String text;
    }

    /** All that counts is how it is called. */
    @MetadataDefinition
    @Name("com.example.Contextual")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Contextual {}

    /** A type that comes into being while the recording runs, with fields as they come. */
    static EventFactory newType(String name, boolean isContextual, Random random)
            throws ClassNotFoundException {
        List<ValueDescriptor> fields = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            List<AnnotationElement> annotations = isContextual && i == 0
                    ? List.of(new AnnotationElement(contextual()))
                    : List.of();
            fields.add(new ValueDescriptor(
                    FIELDS[random.nextInt(FIELDS.length)], "field" + i, annotations));
        }
        return EventFactory.create(
                List.of(new AnnotationElement(Name.class, name),
                        new AnnotationElement(StackTrace.class, random.nextBoolean())),
                fields);
    }

    /** Gives each field of an event of such a type a value. */
    static void fill(Event event, EventFactory factory, Random random) {
        int index = 0;
        for (ValueDescriptor field : factory.getEventType().getFields()) {
            if (field.getName().startsWith("field")) {
                event.set(index++, value(field.getTypeName(), random));
            }
        }
    }

    private static Class<? extends Annotation> contextual() throws ClassNotFoundException {
        return Runtime.version().feature() < 25
                ? Contextual.class
                : Class.forName("jdk.jfr.Contextual").asSubclass(Annotation.class);
    }

    private static Object value(String type, Random random) {
        long number = number(random);
        switch (type) {
            case "boolean":
                return random.nextBoolean();
            case "byte":
                return (byte) number;
            case "short":
                return (short) number;
            case "int":
                return (int) number;
            case "long":
                return number;
            case "char":
                return (char) number;
            case "float":
                return Float.intBitsToFloat((int) number);
            case "double":
                return Double.longBitsToDouble(number);
            case "java.lang.String":
                return text(random);
            case "java.lang.Class":
                return type(random);
            default:
                return Thread.currentThread();
        }
    }

    /** Numbers of every length in bits, and of both signs. */
    static long number(Random random) {
        long number = random.nextLong() >>> random.nextInt(64);
        return random.nextInt(4) == 0 ? -number : number;
    }

    static String text(Random random) {
        int kind = random.nextInt(10);
        if (kind == 0) {
            return null;
        }
        if (kind == 1) {
            return "";
        }
        String alphabet = ALPHABETS[random.nextInt(kind < 6 ? 1 : ALPHABETS.length)];
        int length = LENGTHS[random.nextInt(kind < 9 ? 5 : LENGTHS.length)];
        if (random.nextBoolean()) { // one that comes again, for the constant pool
            return alphabet.repeat(length);
        }
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    static Class<?> type(Random random) {
        Class<?>[] some = {null, int.class, int[][].class, String.class, RandomEvents.class,
                Event.class, Runnable[].class};
        return some[random.nextInt(some.length)];
    }
}
