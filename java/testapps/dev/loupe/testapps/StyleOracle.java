// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import jdk.jfr.EventType;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Judges the context styles `fields` and `ref` by brute force: each event of the one recording must
 * be in the other, with its own values, followed by what a look at every contextual event says that
 * applies to it.
 *
 * <pre>StyleOracle fields|ref INPUT.jfr EVENTS.jfr STYLED.jfr [DISABLED]...</pre>
 *
 * EVENTS.jfr is what `loupe compact` makes of INPUT.jfr in its default style; DISABLED are types
 * that the policy disables. Exit status 0: as expected; 1: not; 3: EVENTS.jfr cannot be read; 4:
 * STYLED.jfr cannot.
 */
public final class StyleOracle {
    private static final int SHOWN_MAX = 5;
    // Chains of parents go back to where the block before their own begins.
    private static final int BLOCK = 32;
    private static final int TEXT_BYTES_MAX = 1024;
    private static final Set<String> IMPLICIT =
            Set.of("startTime", "duration", "eventThread", "stackTrace");

    private final boolean isRef;
    private final Canonical canonical = new Canonical(Canonical.SHORT);
    private final TreeMap<String, EventType> kinds = new TreeMap<>(); // that events may show
    private long checkedCount;
    private long contextCount;
    private int wrongCount;

    private StyleOracle(boolean isRef) {
        this.isRef = isRef;
    }

    public static void main(String[] args) throws IOException {
        StyleOracle oracle = new StyleOracle(args[0].equals("ref"));
        oracle.findKinds(Path.of(args[1]), Arrays.asList(args).subList(4, args.length));
        System.exit(oracle.run(Path.of(args[2]), Path.of(args[3])));
    }

    // A type counts if there is an event of it, kept or not.
    private void findKinds(Path input, List<String> disabled) throws IOException {
        try (RecordingFile recording = new RecordingFile(input)) {
            while (recording.hasMoreEvents()) {
                EventType type = recording.readEvent().getEventType();
                if (isContextual(type) && hasThread(type) && !disabled.contains(type.getName())) {
                    kinds.putIfAbsent(type.getName(), type);
                }
            }
        }
    }

    private static boolean hasThread(EventType type) {
        return type.getField("eventThread") != null || type.getField("sampledThread") != null;
    }

    /** A contextual event as a context. */
    private static final class Context {
        final int chunk;
        final int index;
        final RecordedEvent event;
        final String type;
        final long begin;
        final long end;

        Context(int chunk, int index, RecordedEvent event) {
            this.chunk = chunk;
            this.index = index;
            this.event = event;
            this.type = event.getEventType().getName();
            this.begin = beginOf(event);
            this.end = endOf(event);
        }

        // isDecidedAfter is true if this comes after other in the order of decisions.
        boolean isDecidedAfter(Context other) {
            if (end != other.end) {
                return end > other.end;
            }
            if (begin != other.begin) {
                return begin < other.begin;
            }
            return chunk != other.chunk ? chunk > other.chunk : index > other.index;
        }

        // isAround is true if this is the outer one where both apply.
        boolean isAround(Context other) {
            return begin != other.begin ? begin < other.begin : isDecidedAfter(other);
        }
    }

    private static long nanos(java.time.Instant time) {
        return time.getEpochSecond() * 1_000_000_000L + time.getNano();
    }

    private static long beginOf(RecordedEvent event) {
        return nanos(event.getStartTime());
    }

    private static long endOf(RecordedEvent event) {
        return nanos(event.getEndTime());
    }

    private static String threadOf(RecordedEvent event) {
        for (String field : List.of("eventThread", "sampledThread")) {
            if (event.hasField(field)) {
                RecordedThread thread = event.getThread(field);
                if (thread == null) {
                    return null;
                }
                long id = thread.getJavaThreadId();
                return id > 0 ? "java " + id : "os " + thread.getOSThreadId();
            }
        }
        return null;
    }

    private static boolean isContextual(EventType type) {
        return type.getAnnotationElements().stream().anyMatch(
                       a -> simple(a.getTypeName()).equals("Contextual"))
                || type.getFields().stream().anyMatch(StyleOracle::isContextual);
    }

    private static boolean isContextual(ValueDescriptor field) {
        return field.getAnnotationElements().stream().anyMatch(
                a -> simple(a.getTypeName()).equals("Contextual"));
    }

    private static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static List<ValueDescriptor> attributesOf(EventType type) {
        boolean hasFields = type.getFields().stream().anyMatch(StyleOracle::isContextual);
        List<ValueDescriptor> out = new ArrayList<>();
        for (ValueDescriptor field : type.getFields()) {
            if (hasFields ? isContextual(field) : !IMPLICIT.contains(field.getName())) {
                out.add(field);
            }
        }
        return out;
    }

    private int run(Path eventsFile, Path styledFile) throws IOException {
        List<List<RecordedEvent>> events;
        List<List<RecordedEvent>> styled;
        try {
            events = readChunks(eventsFile);
        } catch (IOException | RuntimeException | InternalError e) {
            System.out.println("cannot read " + eventsFile + ": " + e);
            return 3;
        }
        try {
            styled = readChunks(styledFile);
            compareWhole(styledFile, styled);
        } catch (IOException | RuntimeException | InternalError e) {
            System.out.println("cannot read " + styledFile + ": " + e);
            return 4;
        }
        if (events.size() != styled.size()) {
            wrong(events.size() + " chunks, but " + styled.size());
            return 1;
        }
        List<List<Context>> contexts = contextsOf(events);
        for (int i = 0; i < events.size(); i++) {
            compareChunk(i, events.get(i), styled.get(i), contexts);
        }
        System.out.println("events " + checkedCount + " with contexts " + contextCount + " wrong "
                + wrongCount);
        return wrongCount == 0 ? 0 : 1;
    }

    // Chunks are read one by one, since the reader does not say where one ends.
    private static List<List<RecordedEvent>> readChunks(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        List<List<RecordedEvent>> out = new ArrayList<>();
        java.nio.ByteBuffer buffer = java.nio.ByteBuffer.wrap(bytes);
        for (int at = 0; at < bytes.length;) {
            int size = (int) buffer.getLong(at + 8);
            Path chunk = Files.createTempFile("style", ".jfr");
            try {
                Files.write(chunk, Arrays.copyOfRange(bytes, at, at + size));
                out.add(RecordingFile.readAllEvents(chunk));
            } finally {
                Files.delete(chunk);
            }
            at += size;
        }
        return out;
    }

    // The reader of a whole file carries types and constants from chunk to chunk.
    private void compareWhole(Path file, List<List<RecordedEvent>> chunks) throws IOException {
        try (RecordingFile recording = new RecordingFile(file)) {
            for (List<RecordedEvent> chunk : chunks) {
                for (RecordedEvent event : chunk) {
                    String whole = canonical.event(recording.readEvent());
                    String alone = canonical.event(event);
                    if (!whole.equals(alone)) {
                        wrong("in the whole file " + whole + " but in its chunk " + alone);
                    }
                }
            }
            if (recording.hasMoreEvents()) {
                wrong("the file has more events than its chunks");
            }
        }
    }

    private List<List<Context>> contextsOf(List<List<RecordedEvent>> chunks) {
        List<List<Context>> out = new ArrayList<>();
        for (int i = 0; i < chunks.size(); i++) {
            List<Context> contexts = new ArrayList<>();
            for (int k = 0; k < chunks.get(i).size(); k++) {
                RecordedEvent event = chunks.get(i).get(k);
                if (isContextual(event.getEventType())) {
                    contexts.add(new Context(i, k, event));
                }
            }
            out.add(contexts);
        }
        return out;
    }

    private void wrong(String what) {
        if (wrongCount++ < SHOWN_MAX) {
            System.out.println(what);
        }
    }

    private String columnPrefix(String type) {
        boolean hasNamesake = kinds.keySet().stream().anyMatch(
                other -> !other.equals(type) && simple(other).equals(simple(type)));
        return (hasNamesake ? type : simple(type)).replace('.', '_') + "_";
    }

    private void compareChunk(int chunk, List<RecordedEvent> events, List<RecordedEvent> styled,
            List<List<Context>> contexts) {
        if (events.size() != styled.size()) {
            wrong("chunk " + chunk + ": " + events.size() + " events, but " + styled.size());
            return;
        }
        Map<String, List<Context>> known = new HashMap<>(); // by thread
        for (int i = chunk; i <= chunk + 1 && i < contexts.size(); i++) {
            for (Context context : contexts.get(i)) {
                String thread = threadOf(context.event);
                if (thread != null && context.begin <= context.end) {
                    known.computeIfAbsent(thread, t -> new ArrayList<>()).add(context);
                }
            }
        }
        for (int i = 0; i < events.size(); i++) {
            List<Context> around = around(chunk, i, events.get(i), known);
            compareEvent(events.get(i), styled.get(i), around, chunk);
        }
    }

    // around gives what applies to an event, the outermost first.
    private List<Context> around(
            int chunk, int index, RecordedEvent event, Map<String, List<Context>> known) {
        List<Context> out = new ArrayList<>();
        String thread = threadOf(event);
        long commit = endOf(event);
        Context self = isContextual(event.getEventType()) ? new Context(chunk, index, event) : null;
        for (Context context : known.getOrDefault(thread == null ? "" : thread, List.of())) {
            if (context.begin <= commit && commit <= context.end
                    && (self == null || context.isDecidedAfter(self))) {
                out.add(context);
            }
        }
        out.sort((a, b) -> a == b ? 0 : a.isAround(b) ? -1 : 1);
        return out;
    }

    private void compareEvent(
            RecordedEvent event, RecordedEvent styled, List<Context> around, int chunk) {
        checkedCount++;
        contextCount += around.isEmpty() ? 0 : 1;
        String type = event.getEventType().getName();
        List<ValueDescriptor> fields = event.getEventType().getFields();
        List<ValueDescriptor> all = styled.getEventType().getFields();
        if (!type.equals(styled.getEventType().getName()) || all.size() < fields.size()) {
            wrong(type + " has become " + styled.getEventType().getName());
            return;
        }
        Set<String> taken = new HashSet<>();
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.get(i).getName();
            taken.add(name);
            String expected = canonical.text(event, name);
            if (!all.get(i).getName().equals(name)
                    || !canonical.text(styled, name).equals(expected)) {
                wrong(type + "." + name + " was " + expected + " in " + event + " now " + styled);
                return;
            }
        }
        List<ValueDescriptor> added = all.subList(fields.size(), all.size());
        if (isRef) {
            compareReference(styled, around, taken, added, chunk);
        } else {
            compareFields(styled, around, taken, added, chunk);
        }
    }

    private static String free(String name, Set<String> taken) {
        String out = name;
        for (int i = 2; taken.contains(out); i++) {
            out = name + "_" + i;
        }
        return out;
    }

    private void compareFields(RecordedEvent styled, List<Context> around, Set<String> taken,
            List<ValueDescriptor> added, int chunk) {
        String type = styled.getEventType().getName();
        List<String> names = new ArrayList<>();
        for (EventType kind :
                hasThread(styled.getEventType()) ? kinds.values() : List.<EventType>of()) {
            for (ValueDescriptor attribute : attributesOf(kind)) {
                String name = free(columnPrefix(kind.getName()) + attribute.getName(), taken);
                names.add(name);
                compareValue(styled, name, innermost(around, kind.getName()), attribute, chunk);
                compareLabel(styled, name, kind, attribute);
            }
        }
        List<String> found = new ArrayList<>();
        added.forEach(f -> found.add(f.getName()));
        if (!found.equals(names)) {
            wrong(type + " has got " + found + " instead of " + names);
        }
    }

    private static Context innermost(List<Context> around, String type) {
        Context out = null;
        for (Context context : around) {
            out = context.type.equals(type) ? context : out;
        }
        return out;
    }

    private void compareLabel(
            RecordedEvent styled, String name, EventType type, ValueDescriptor attribute) {
        String label = (type.getLabel() == null ? simple(type.getName()) : type.getLabel()) + ": "
                + (attribute.getLabel() == null ? attribute.getName() : attribute.getLabel());
        for (ValueDescriptor field : styled.getEventType().getFields()) {
            if (field.getName().equals(name)
                    && (!label.equals(field.getLabel())
                            || !Objects.equals(
                                    attribute.getDescription(), field.getDescription()))) {
                wrong(name + " is labelled " + field.getLabel() + ": " + field.getDescription());
            }
        }
    }

    private void compareValue(RecordedObject object, String name, Context context,
            ValueDescriptor attribute, int chunk) {
        if (!object.hasField(name)) {
            wrong("no " + name + " in " + object);
            return;
        }
        Object found = object.getValue(name);
        Object expected = context == null ? null : context.event.getValue(attribute.getName());
        boolean isRight;
        if (expected instanceof RecordedObject reference) {
            // What the chunk does not describe cannot be referred to.
            isRight = found == null ? context.chunk > chunk : isSame(reference, found);
        } else if (expected instanceof Double || expected instanceof Float) {
            isRight = found instanceof String text && isNumber((Number) expected, text);
        } else if (expected instanceof String text) {
            isRight = text.equals(found) || (mayBeCut(text) && cut(text).equals(found));
        } else {
            isRight = Objects.equals(expected == null ? null : String.valueOf(expected), found);
        }
        if (!isRight) {
            wrong(name + " is " + found + " instead of " + expected + " in " + object);
        }
    }

    // Texts that the JVM has put into a pool are whole: it puts some of the long ones there.
    private boolean mayBeCut(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length > TEXT_BYTES_MAX;
    }

    private static String cut(String text) {
        StringBuilder out = new StringBuilder();
        int bytes = 0;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            String character = Character.toString(text.codePointAt(i));
            bytes += character.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > TEXT_BYTES_MAX) {
                break;
            }
            out.append(character);
        }
        return out.toString();
    }

    // Double.toString has become shorter in JDK 19, so the text is read again.
    private static boolean isNumber(Number expected, String text) {
        return expected instanceof Double d
                ? Double.compare(d, Double.parseDouble(text)) == 0
                : Float.compare((Float) expected, Float.parseFloat(text)) == 0;
    }

    private static boolean isSame(RecordedObject expected, Object found) {
        if (expected instanceof RecordedClass c) {
            return found instanceof RecordedClass f && f.getName().equals(c.getName());
        }
        if (expected instanceof RecordedThread t) {
            return found instanceof RecordedThread f && f.getJavaThreadId() == t.getJavaThreadId();
        }
        return found != null;
    }

    private void compareReference(RecordedEvent styled, List<Context> around, Set<String> taken,
            List<ValueDescriptor> added, int chunk) {
        if (kinds.isEmpty() || !hasThread(styled.getEventType())) {
            if (!added.isEmpty()) {
                wrong(styled + " has got a field and no event of its type a context");
            }
            return;
        }
        String name = free("context", taken);
        if (added.size() != 1 || !added.get(0).getName().equals(name)) {
            wrong(styled + " has no " + name);
            return;
        }
        RecordedObject found = styled.getValue(name);
        int left = chainLength(around.size());
        for (int depth = around.size(); found != null && left > 0; depth--, left--) {
            compareState(found, around.get(depth - 1), around.subList(0, depth), chunk);
            boolean isCut = left == 1 && depth > 1;
            if (found.getBoolean("truncated") != isCut) {
                wrong("truncated is " + !isCut + " in " + styled);
            }
            found = found.getValue("parent");
        }
        if (found != null || left > 0) {
            wrong(name + " ends too " + (left > 0 ? "early" : "late") + " in " + styled);
        }
    }

    private static int chainLength(int count) {
        return count <= 2 * BLOCK ? count : BLOCK + (count - 1) % BLOCK + 1;
    }

    private void compareState(
            RecordedObject found, Context expected, List<Context> around, int chunk) {
        if (!expected.type.equals(found.getString("type"))
                || nanos(found.getInstant("startTime")) != expected.begin) {
            wrong("a context is " + found + " instead of " + expected.event);
            return;
        }
        for (Context context : around) {
            Context innermost = innermost(around, context.type);
            for (ValueDescriptor attribute : attributesOf(context.event.getEventType())) {
                String name = columnPrefix(context.type) + attribute.getName();
                compareValue(found, name, innermost, attribute, chunk);
            }
        }
        for (ValueDescriptor field : found.getFields()) {
            boolean isOwn =
                    Set.of("type", "startTime", "parent", "truncated").contains(field.getName());
            boolean isThere = isOwn
                    || around.stream().anyMatch(
                            c -> field.getName().startsWith(columnPrefix(c.type)));
            if (!isThere && found.getValue(field.getName()) != null) {
                wrong(field.getName() + " should be null in " + found);
            }
        }
    }
}
