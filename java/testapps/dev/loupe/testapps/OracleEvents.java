// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.AnnotationElement;
import jdk.jfr.EventType;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;

/** What deciding and comparing need of the events of a recording, one row each, in file order. */
final class OracleEvents {
    static final int NO_THREAD = -1;

    /** What a decision needs of a type. */
    record Type(String name, boolean isAnnotated, boolean hasDuration, long ticksPerSecond) {}

    final List<Type> types = new ArrayList<>();
    int count;
    int threadCount;
    final List<OracleFile.Chunk> chunks;
    int[] type = new int[1024];
    int[] thread = new int[1024];
    int[] chunk = new int[1024];
    long[] begin = new long[1024];
    long[] commit = new long[1024];
    /** Of everything that a reader shows of it. */
    long[] hash = new long[1024];
    /** Whether a reader of the whole file shows a value of another chunk. */
    boolean[] isStale = new boolean[1024];

    private final Map<Type, Integer> typeIndices = new HashMap<>();
    private final Map<EventType, Integer> typesOfChunk = new IdentityHashMap<>();
    private final Map<Long, Integer> threadIndices = new HashMap<>();
    private final Canonical shownTexts = new Canonical(Canonical.SHORT);
    private final Canonical ownTexts = new Canonical(Canonical.SHORT);

    private final OracleFile.Chunk clockOrNull;
    private int current = -1; // chunk

    private OracleEvents(List<OracleFile.Chunk> chunks, OracleFile.Chunk clockOrNull) {
        this.chunks = chunks;
        this.clockOrNull = clockOrNull;
    }

    /** The recording as it is shown. */
    static OracleEvents read(Path path) throws IOException {
        return read(path, new OracleEvents(OracleFile.chunks(path), null));
    }

    /**
     * The recording as it is to be shown: by the clock of its first chunk. JDK 25 does so, and JDK
     * 17 with a file that has one clock; else that one takes another at each change of metadata.
     */
    static OracleEvents readInput(Path path) throws IOException {
        List<OracleFile.Chunk> chunks = OracleFile.chunks(path);
        boolean isRight = Runtime.version().feature() >= 25 || chunks.isEmpty();
        return read(path, new OracleEvents(chunks, isRight ? null : chunks.get(0)));
    }

    private static OracleEvents read(Path path, OracleEvents events) throws IOException {
        OracleFile.read(path, events::add);
        events.typesOfChunk.clear();
        events.shownTexts.clear();
        events.ownTexts.clear();
        return events;
    }

    private void add(OracleFile.Chunk from, RecordedEvent shown, RecordedEvent own) {
        if (current != from.index()) {
            current = from.index();
            typesOfChunk.clear();
            shownTexts.clear();
            ownTexts.clear();
        }
        if (count == type.length) {
            grow(count * 2);
        }
        type[count] = typesOfChunk.computeIfAbsent(own.getEventType(),
                its
                -> typeIndices.computeIfAbsent(type(its, from.ticksPerSecond()), this::newType));
        thread[count] = thread(own);
        chunk[count] = from.index();
        begin[count] = OracleFile.ticks(own);
        commit[count] =
                begin[count] + (typeOf(count).hasDuration ? (long) own.getValue("duration") : 0);
        String text = ownTexts.event(own);
        hash[count] = hash(text, times(shownTexts, shown));
        isStale[count] = shown != own && !shownTexts.event(shown).equals(text);
        count++;
    }

    Type typeOf(int event) {
        return types.get(type[event]);
    }

    String times(Canonical texts, RecordedEvent shown) {
        return clockOrNull == null ? texts.times(shown) : texts.times(shown, clockOrNull);
    }

    private void grow(int size) {
        type = Arrays.copyOf(type, size);
        thread = Arrays.copyOf(thread, size);
        chunk = Arrays.copyOf(chunk, size);
        begin = Arrays.copyOf(begin, size);
        commit = Arrays.copyOf(commit, size);
        hash = Arrays.copyOf(hash, size);
        isStale = Arrays.copyOf(isStale, size);
    }

    private int newType(Type its) {
        types.add(its);
        return types.size() - 1;
    }

    private static long hash(String one, String two) {
        long hash = 0x9e3779b97f4a7c15L;
        for (String text : new String[] {one, "\n", two}) {
            for (int i = 0; i < text.length(); i++) {
                hash = (hash ^ text.charAt(i)) * 0xd6e8feb86659fd93L;
                hash ^= hash >>> 32;
            }
        }
        return hash;
    }

    private static Type type(EventType type, long ticksPerSecond) {
        boolean isAnnotated = isContextual(type.getAnnotationElements());
        for (ValueDescriptor field : type.getFields()) {
            isAnnotated |= isContextual(field.getAnnotationElements());
        }
        return new Type(
                type.getName(), isAnnotated, type.getField("duration") != null, ticksPerSecond);
    }

    private static boolean isContextual(List<AnnotationElement> annotations) {
        return annotations.stream()
                .map(AnnotationElement::getTypeName)
                .anyMatch(name -> name.substring(name.lastIndexOf('.') + 1).equals("Contextual"));
    }

    // Java threads by their Java id, all others by the operating system's.
    private int thread(RecordedEvent event) {
        String field = event.hasField("eventThread") ? "eventThread" : "sampledThread";
        RecordedThread found = event.hasField(field) ? event.getThread(field) : null;
        if (found == null) {
            return NO_THREAD;
        }
        long id =
                found.getJavaThreadId() > 0 ? found.getJavaThreadId() : -1 - found.getOSThreadId();
        return threadIndices.computeIfAbsent(id, unused -> threadCount++);
    }
}
