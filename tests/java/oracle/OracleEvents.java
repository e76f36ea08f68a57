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
import java.util.WeakHashMap;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import jdk.jfr.AnnotationElement;
import jdk.jfr.EventType;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;

/** What deciding and comparing need of the events of a recording, one row each, in file order. */
final class OracleEvents {
    static final int NO_THREAD = -1;
    private static final Pattern CONTEXTUAL = Pattern.compile("(.*[.$])?Contextual");
    /** Whether a type is contextual, for as long as a reader has the type. */
    private static final Map<EventType, Boolean> ANNOTATED = new WeakHashMap<>();

    /** What a decision needs of a type. */
    record Type(String name, boolean isAnnotated, boolean hasDuration, long ticksPerSecond) {}

    private record ThreadKey(int firstChunk, boolean isJava, long id) {}

    final List<Type> types = new ArrayList<>();
    /** Parallel to types: how the first event of each was described. */
    final List<EventType> described = new ArrayList<>();
    int count;
    int threadCount;
    final List<OracleFile.Chunk> chunks;
    int[] type = new int[1024];
    int[] thread = new int[1024];
    int[] chunk = new int[1024];
    long[] begin = new long[1024];
    long[] commit = new long[1024];
    /**
     * Whether it was on a thread that no reader can tell: a JVM may store an event of a thread that
     * ended behind the chunk that describes it. (Who writes chunks by hand means no thread.)
     */
    boolean[] isThreadUnknown = new boolean[1024];
    /** Of everything that a reader shows of it. */
    long[] hash = new long[1024];
    /** Whether a reader of the whole file shows a value of another chunk. */
    boolean[] isStale = new boolean[1024];
    /** Whether nothing but its thread is. */
    boolean[] isStaleByThread = new boolean[1024];
    /** Whether it takes the thread from another chunk, which may say the same of it by chance. */
    boolean[] hasEarlierThread = new boolean[1024];

    private final Map<Type, Integer> typeIndices = new HashMap<>();
    private final Map<EventType, Integer> typesOfChunk = new IdentityHashMap<>();
    private final Map<ThreadKey, Integer> threadIndices = new HashMap<>();
    private final Map<RecordedThread, Integer> firstShown = new IdentityHashMap<>();
    private final ToIntFunction<EventType> addedCount;
    private final Canonical shownTexts;
    private final Canonical ownTexts;

    private final boolean isOfJvm;
    private final boolean isClockOurs;
    private int current = -1; // chunk

    private OracleEvents(List<OracleFile.Chunk> chunks, boolean isOfJvm, boolean isClockOurs,
            ToIntFunction<EventType> addedCount) {
        this.chunks = chunks;
        this.isOfJvm = isOfJvm;
        this.isClockOurs = isClockOurs;
        this.addedCount = addedCount;
        shownTexts = canonical(Canonical.SHORT);
        ownTexts = canonical(Canonical.SHORT);
    }

    /** The recording as it is shown, but for so many of the last fields of each type. */
    static OracleEvents read(Path path, boolean isOfJvm, ToIntFunction<EventType> addedCount)
            throws IOException {
        return read(path, new OracleEvents(OracleFile.chunks(path), isOfJvm, false, addedCount));
    }

    /**
     * The recording as it is to be shown: as JDK 25 shows it, by the clock of the first chunk. JDK
     * 17 takes another clock at each change of metadata, of which there is one in each chunk of the
     * output: so there each chunk has its own.
     */
    static OracleEvents readInput(Path path, boolean isOfJvm) throws IOException {
        boolean isClockOurs = Runtime.version().feature() < 25;
        return read(
                path, new OracleEvents(OracleFile.chunks(path), isOfJvm, isClockOurs, type -> 0));
    }

    /** What events are compared by. */
    Canonical canonical(int textMax) {
        return new Canonical(textMax, addedCount);
    }

    private static OracleEvents read(Path path, OracleEvents events) throws IOException {
        OracleFile.read(path, events::add);
        events.typesOfChunk.clear();
        events.shownTexts.clear();
        events.ownTexts.clear();
        events.firstShown.clear();
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
                -> typeIndices.computeIfAbsent(
                        type(its, from.clock().ticksPerSecond()), type -> newType(type, its)));
        thread[count] = thread(own, from);
        isThreadUnknown[count] = isOfJvm && thread[count] == NO_THREAD && threadField(own) != null;
        chunk[count] = from.index();
        begin[count] = OracleFile.ticks(own);
        commit[count] =
                begin[count] + (typeOf(count).hasDuration ? (long) own.getValue("duration") : 0);
        String text = ownTexts.event(own);
        hash[count] = hash(text, times(shownTexts, shown, from));
        if (shown != own) {
            noteStale(from, shown, text);
        }
        count++;
    }

    private void noteStale(OracleFile.Chunk from, RecordedEvent shown, String ownText) {
        String text = shownTexts.event(shown);
        isStale[count] = !text.equals(ownText);
        isStaleByThread[count] =
                isStale[count] && withoutThread(text).equals(withoutThread(ownText));
        String field = threadField(shown);
        RecordedThread found = field == null ? null : shown.getThread(field);
        hasEarlierThread[count] = found != null
                && firstShown.computeIfAbsent(found, unused -> from.index()) < from.index();
    }

    private static String withoutThread(String text) {
        return text.replaceAll(" (eventThread|sampledThread)=[0-9a-f]+", "");
    }

    Type typeOf(int event) {
        return types.get(type[event]);
    }

    String times(Canonical texts, RecordedEvent shown, OracleFile.Chunk from) {
        return isClockOurs && from.index() > 0 ? texts.times(shown, from.clock())
                                               : texts.times(shown);
    }

    private void grow(int size) {
        type = Arrays.copyOf(type, size);
        thread = Arrays.copyOf(thread, size);
        isThreadUnknown = Arrays.copyOf(isThreadUnknown, size);
        chunk = Arrays.copyOf(chunk, size);
        begin = Arrays.copyOf(begin, size);
        commit = Arrays.copyOf(commit, size);
        hash = Arrays.copyOf(hash, size);
        isStale = Arrays.copyOf(isStale, size);
        isStaleByThread = Arrays.copyOf(isStaleByThread, size);
        hasEarlierThread = Arrays.copyOf(hasEarlierThread, size);
    }

    private int newType(Type its, EventType as) {
        types.add(its);
        described.add(as);
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
        return new Type(type.getName(), isAnnotated(type), type.getField("duration") != null,
                ticksPerSecond);
    }

    static boolean isAnnotated(EventType type) {
        return ANNOTATED.computeIfAbsent(type, OracleEvents::findAnnotation);
    }

    private static boolean findAnnotation(EventType type) {
        if (isDenied(type.getAnnotationElements())) {
            return false;
        }
        boolean isAnnotated = isContextual(type.getAnnotationElements());
        for (ValueDescriptor field : type.getFields()) {
            isAnnotated |= isContextual(field.getAnnotationElements());
        }
        return isAnnotated;
    }

    /** Whether the last of these annotations of a type has the value false. */
    private static boolean isDenied(List<AnnotationElement> annotations) {
        return annotations.stream()
                .filter(annotation -> CONTEXTUAL.matcher(annotation.getTypeName()).matches())
                .reduce((first, second) -> second)
                .filter(last
                        -> last.hasValue("value")
                                && "false".equals(String.valueOf(last.getValue("value"))))
                .isPresent();
    }

    static boolean isContextual(List<AnnotationElement> annotations) {
        return annotations.stream()
                .map(AnnotationElement::getTypeName)
                .anyMatch(name -> CONTEXTUAL.matcher(name).matches());
    }

    private static String threadField(RecordedEvent event) {
        return event.hasField("eventThread")      ? "eventThread"
                : event.hasField("sampledThread") ? "sampledThread"
                                                  : null;
    }

    // Java threads by their Java id, all others by the operating system's; those of another JVM are
    // others.
    private int thread(RecordedEvent event, OracleFile.Chunk from) {
        String field = threadField(event);
        RecordedThread found = field == null ? null : event.getThread(field);
        if (found == null) {
            return NO_THREAD;
        }
        boolean isJava = found.getJavaThreadId() > 0;
        long id = isJava ? found.getJavaThreadId() : found.getOSThreadId();
        return threadIndices.computeIfAbsent(
                new ThreadKey(from.first(), isJava, id), unused -> threadCount++);
    }
}
