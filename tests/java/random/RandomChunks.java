// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.testapps.ChunkBytes.Element;
import dev.loupe.testapps.ChunkBytes.Values;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A small recording by hand, in which everything happens at the same few ticks: events and contexts
 * that are committed together, stored late, threads known under several keys, types that are
 * contexts in one chunk and not in the next.
 */
final class RandomChunks {
    private static final int LONG = 2;
    private static final int STRING = 3;
    private static final int THREAD = 4;
    private static final int TIMESTAMP = 5;
    private static final int TIMESPAN = 6;
    private static final int ANNOTATIONS = 7;
    private static final int EVENTS = 200; // two bytes
    private static final String[] ANNOTATION_NAMES = {"com.example.Contextual", "Contextual",
            "com.example.Outer$Contextual", "com.example.NonContextual"};
    private static final long[] FREQUENCIES = {1_000_000_000, 1_000_000_000, 1_000, 7, 24_000_000};
    private static final int[] SPANS = {10, 60, 400};
    private static final int[] LENGTHS = {1, 1, 5, 30, 400};
    private static final long START_NANOS = 1_700_000_000_000_000_000L;
    private static final int FIRST_TICK = 1_000_000;

    /** An event type. */
    private record Kind(String name, boolean hasDuration, boolean hasEventThread,
            boolean hasSampledThread, boolean isOnField) {}

    private record Row(int kind, long begin, long commit, long threadKey, long otherKey) {}

    private final Random random;
    private final OracleFile.Clock clock;
    private final List<Kind> kinds = new ArrayList<>();
    private final int[] annotations; // by kind; the length of ANNOTATION_NAMES for none
    private final int span;

    private RandomChunks(long seed) {
        random = new Random(seed);
        clock = new OracleFile.Clock(
                START_NANOS, FIRST_TICK, FREQUENCIES[random.nextInt(FREQUENCIES.length)]);
        span = SPANS[random.nextInt(SPANS.length)];
        for (int i = 2 + random.nextInt(6); i >= 0; i--) {
            boolean hasSampledThread = random.nextInt(5) == 0;
            boolean hasEventThread = random.nextInt(hasSampledThread ? 4 : 10) > 0;
            kinds.add(new Kind("t.Kind" + i, random.nextInt(4) > 0, hasEventThread,
                    hasSampledThread, random.nextBoolean()));
        }
        annotations = new int[kinds.size()];
        for (int i = 0; i < annotations.length; i++) {
            annotations[i] = random.nextInt(ANNOTATION_NAMES.length + 2);
        }
    }

    static byte[] make(long seed) {
        return new RandomChunks(seed).make();
    }

    private byte[] make() {
        long[] starts = new long[1 + random.nextInt(5)];
        starts[0] = FIRST_TICK;
        for (int i = 1; i < starts.length; i++) {
            starts[i] = starts[i - 1] + 1 + random.nextInt(span / starts.length + 1);
        }
        List<List<Row>> chunks = new ArrayList<>();
        for (int i = 0; i < starts.length; i++) {
            chunks.add(new ArrayList<>());
        }
        for (int i = random.nextInt(40) * starts.length; i >= 0; i--) {
            Row row = row();
            int chunk = starts.length - 1;
            while (chunk > 0 && starts[chunk] > row.commit) {
                chunk--;
            }
            while (chunk + 1 < starts.length && random.nextInt(8) == 0) { // stored late
                chunk++;
            }
            chunks.get(chunk).add(row);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long metadataId = 1;
        for (int i = 0; i < starts.length; i++) {
            if (random.nextInt(4) == 0) { // other types from here on
                metadataId++;
                annotations[random.nextInt(annotations.length)] =
                        random.nextInt(ANNOTATION_NAMES.length + 2);
            }
            out.writeBytes(chunk(starts[i], metadataId, chunks.get(i)));
        }
        return out.toByteArray();
    }

    private Row row() {
        long commit = FIRST_TICK + random.nextInt(span);
        int kind = random.nextInt(kinds.size());
        int length = random.nextInt(LENGTHS[random.nextInt(LENGTHS.length)]);
        return new Row(kind, kinds.get(kind).hasDuration ? commit - length : commit, commit,
                random.nextInt(7), random.nextInt(7));
    }

    private byte[] chunk(long startTicks, long metadataId, List<Row> rows) {
        long startNanos = clock.startNanos()
                + (long) ((startTicks - clock.startTicks()) * 1e9 / clock.ticksPerSecond());
        ChunkBytes chunk = new ChunkBytes(
                new OracleFile.Clock(startNanos, startTicks, clock.ticksPerSecond()));
        for (Row row : rows) {
            Kind kind = kinds.get(row.kind);
            Values values = new Values().number(row.begin);
            if (kind.hasDuration) {
                values.number(row.commit - row.begin);
            }
            if (kind.hasSampledThread) {
                values.number(row.otherKey);
            }
            if (kind.hasEventThread) {
                values.number(row.threadKey);
            }
            values.number(random.nextInt(3)); // alike events are a case of their own
            chunk.event(EVENTS + row.kind, values);
        }
        return chunk.finish(metadataId, metadata(), THREAD, threads());
    }

    // Keys 1 and 2 are one Java thread, 3 and 4 one of the operating system only, 5 a Java thread
    // with the same id there; 6 a thread without any id, and 0 is nobody.
    private Map<Long, Values> threads() {
        Map<Long, Values> threads = new LinkedHashMap<>();
        thread(threads, 1, "main", 10, 1);
        thread(threads, 2, "renamed", 10, 1);
        thread(threads, 3, "GC", 11, 0);
        thread(threads, 4, "GC too", 11, 0);
        thread(threads, 5, "worker", 11, 2);
        thread(threads, 6, "nameless", 0, 0);
        return threads;
    }

    private static void thread(Map<Long, Values> threads, long key, String name, int os, int java) {
        threads.put(key, new Values().text(name).number(os).text(name).number(java));
    }

    private Element metadata() {
        Element types = new Element("metadata");
        types.add(type(LONG, "long"));
        types.add(type(STRING, "java.lang.String"));
        types.add(type(THREAD, "java.lang.Thread")
                          .add(field("osName", STRING))
                          .add(field("osThreadId", LONG))
                          .add(field("javaName", STRING))
                          .add(field("javaThreadId", LONG)));
        annotation(types, TIMESTAMP, "jdk.jfr.Timestamp").add(field("value", STRING));
        annotation(types, TIMESPAN, "jdk.jfr.Timespan").add(field("value", STRING));
        for (int i = 0; i < ANNOTATION_NAMES.length; i++) {
            annotation(types, ANNOTATIONS + i, ANNOTATION_NAMES[i]);
        }
        for (int i = 0; i < kinds.size(); i++) {
            types.add(event(i));
        }
        return new Element("root").add(types).add(
                new Element("region", "locale", "en", "gmtOffset", "0"));
    }

    private Element event(int index) {
        Kind kind = kinds.get(index);
        Element type = type(EVENTS + index, kind.name, "superType", "jdk.jfr.Event");
        type.add(field("startTime", LONG).add(ticks(TIMESTAMP)));
        if (kind.hasDuration) {
            type.add(field("duration", LONG).add(ticks(TIMESPAN)));
        }
        if (kind.hasSampledThread) {
            type.add(field("sampledThread", THREAD, "constantPool", "true"));
        }
        if (kind.hasEventThread) {
            type.add(field("eventThread", THREAD, "constantPool", "true"));
        }
        Element value = field("value", LONG);
        type.add(value);
        if (annotations[index] < ANNOTATION_NAMES.length) {
            String id = String.valueOf(ANNOTATIONS + annotations[index]);
            (kind.isOnField ? value : type).add(new Element("annotation", "class", id));
        }
        return type;
    }

    private static Element ticks(int annotation) {
        return new Element("annotation", "class", String.valueOf(annotation), "value", "TICKS");
    }

    private static Element type(int id, String name, String... more) {
        Element type = new Element("class", more);
        type.attributes.put("name", name);
        type.attributes.put("id", String.valueOf(id));
        return type;
    }

    private static Element annotation(Element types, int id, String name) {
        Element type = type(id, name, "superType", "java.lang.annotation.Annotation");
        types.add(type);
        return type;
    }

    private static Element field(String name, int type, String... more) {
        Element field = new Element("field", more);
        field.attributes.put("name", name);
        field.attributes.put("class", String.valueOf(type));
        return field;
    }
}
