// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.testapps.OracleKinds.Column;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import jdk.jfr.EventType;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedThread;

/**
 * What the styles `fields` and `ref` add to the events of an output, by
 * docs/internals/elimination.md#context-styles.
 *
 * Contexts are events of the output themselves, and which of them must be there is for others to
 * say. So for each event this looks at all contexts that are known to its chunk, and expects the
 * innermost of each kind in its fields.
 */
final class OracleStyle {
    enum Name { EVENTS, FIELDS, REF }

    private static final int SHOWN_MAX = 5;
    // Chains of parents go back to where the block before their own begins.
    private static final int BLOCK = 32;
    // One in so many may be shorter, where contexts overlap without nesting.
    private static final int CHAINS_PER_SHORT = 10;
    private static final int TEXT_BYTES_MAX = 1024;
    private static final int REPLACEMENT = 0xfffd;

    /** A row of the output as a context. */
    private record Context(int chunk, int row, RecordedEvent event, long begin, long end) {
        String type() {
            return event.getEventType().getName();
        }

        @Override
        public String toString() {
            return type() + " [" + begin + ", " + end + "] in chunk " + chunk;
        }

        /** Whether this comes after other in the order of decisions. */
        boolean isDecidedAfter(Context other) {
            if (end != other.end) {
                return end > other.end;
            }
            return begin != other.begin ? begin < other.begin : row > other.row;
        }

        /** Whether this is the outer one where both apply. */
        boolean isAround(Context other) {
            return begin != other.begin ? begin < other.begin : isDecidedAfter(other);
        }
    }

    /** The events of a chunk, as the file has them and as the chunk by itself has them. */
    private static final class Chunk {
        final int index;
        final int firstRow;
        final List<RecordedEvent> shown = new ArrayList<>();
        final List<RecordedEvent> own = new ArrayList<>();

        Chunk(int index, int firstRow) {
            this.index = index;
            this.firstRow = firstRow;
        }
    }

    private final Name name;
    private final OracleEvents in;
    private final OraclePolicy policy;
    private final OracleKinds kinds;
    private final OracleAware aware;
    private final Canonical canonical = new Canonical(Canonical.WHOLE);
    private final Map<EventType, List<String>> names = new IdentityHashMap<>();
    private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
    private final List<String> problems = new ArrayList<>();
    private OracleEvents out;
    private int[] unknownContexts; // rows of those that are on a thread that no reader can tell
    private int rowCount;
    private int wrongCount;
    private int coveredCount;
    private int chainCount;
    private int shortCount;

    OracleStyle(Name name, OracleEvents in, OraclePolicy policy, OracleAware aware) {
        this.name = name;
        this.in = in;
        this.policy = policy;
        this.aware = aware;
        kinds = new OracleKinds(in, policy);
    }

    /** How many fields the events of a type of the output have more than those of the input. */
    int addedCount(EventType type) {
        if (name == Name.EVENTS || kinds.isEmpty() || !OracleKinds.hasThread(type)
                || !aware.shows(type)) {
            return 0;
        }
        return name == Name.REF ? 1 : kinds.columns.size();
    }

    /** Looks at all events of the output; whether they show what they must. */
    boolean compare(Path path, OracleEvents rows) throws IOException {
        if (name == Name.EVENTS) {
            return true; // what there is too much is not in the input
        }
        out = rows;
        unknownContexts = IntStream.range(0, out.count)
                                  .filter(row -> out.isThreadUnknown[row] && isContextual(row))
                                  .toArray();
        OracleFile.read(path, this::add);
        while (!chunks.isEmpty()) {
            compareFirst();
        }
        String described = OracleAttributes.compare(path, kinds.columns);
        if (described != null) {
            wrong(described);
        }
        if (shortCount > chainCount / CHAINS_PER_SHORT) {
            wrong(shortCount + " of " + chainCount + " chains are short");
        }
        return wrongCount == 0;
    }

    String summary() {
        return name == Name.EVENTS
                ? ""
                : ", " + name + " with contexts at " + coveredCount + ", short " + shortCount;
    }

    void print(PrintStream report) {
        if (wrongCount > 0) {
            report.println(wrongCount + " events show other contexts");
            problems.forEach(report::println);
        }
    }

    private void wrong(String what) {
        if (wrongCount++ < SHOWN_MAX) {
            problems.add(what);
        }
    }

    // A chunk is looked at when the one behind it has been read.
    private void add(OracleFile.Chunk from, RecordedEvent shown, RecordedEvent own) {
        if (chunks.isEmpty() || chunks.getLast().index != from.index()) {
            while (!chunks.isEmpty() && chunks.getFirst().index + 1 < from.index()) {
                compareFirst();
            }
            chunks.addLast(new Chunk(from.index(), rowCount));
        }
        chunks.getLast().shown.add(shown);
        chunks.getLast().own.add(own);
        rowCount++;
    }

    private void compareFirst() {
        Chunk chunk = chunks.removeFirst();
        Map<Integer, List<Context>> known = new HashMap<>(); // by thread
        addContexts(chunk, known, Long.MIN_VALUE);
        if (!chunks.isEmpty() && chunks.getFirst().index == chunk.index + 1) {
            OracleFile.Clock clock = in.chunks.get(chunk.index + 1).clock();
            addContexts(chunks.getFirst(), known, clock.startTicks() - clock.ticksPerSecond());
        }
        for (int i = 0; i < chunk.own.size(); i++) {
            RecordedEvent own = chunk.own.get(i);
            RecordedEvent shown = chunk.shown.get(i);
            if (isUnclear(chunk.firstRow + i)) {
                continue;
            }
            List<Context> around = around(chunk, i, known);
            coveredCount += around.isEmpty() ? 0 : 1;
            boolean isRight = compareEvent(own, around, chunk.index);
            if (isRight && shown != own
                    && around.stream().noneMatch(context -> out.isStale[context.row])) {
                compareEvent(shown, around, chunk.index);
            }
        }
        names.clear();
        canonical.clear();
    }

    // Whether the contexts that it was in cannot be known.
    private boolean isUnclear(int row) {
        if (out.isThreadUnknown[row]) {
            return true;
        }
        for (int i : unknownContexts) {
            if (out.begin[i] <= out.commit[row] && out.commit[row] <= out.commit[i]) {
                return true;
            }
        }
        return false;
    }

    private boolean isContextual(int row) {
        OracleEvents.Type type = out.typeOf(row);
        return policy.rule(type.name(), type.isAnnotated(), type.hasDuration()).isContextual();
    }

    // Adds those of the chunk that ended at a time or later.
    private void addContexts(Chunk chunk, Map<Integer, List<Context>> known, long endMin) {
        for (int i = 0; i < chunk.own.size(); i++) {
            int row = chunk.firstRow + i;
            if (out.thread[row] != OracleEvents.NO_THREAD && isContextual(row)
                    && out.begin[row] <= out.commit[row] && out.commit[row] >= endMin
                    && kinds.has(out.typeOf(row).name())) {
                known.computeIfAbsent(out.thread[row], thread -> new ArrayList<>())
                        .add(new Context(chunk.index, row, chunk.own.get(i), out.begin[row],
                                out.commit[row]));
            }
        }
    }

    /** What applies to an event, the outermost first. */
    private List<Context> around(Chunk chunk, int index, Map<Integer, List<Context>> known) {
        int row = chunk.firstRow + index;
        long commit = out.commit[row];
        Context self = !isContextual(row)
                ? null
                : new Context(chunk.index, row, chunk.own.get(index), out.begin[row], commit);
        List<Context> around = new ArrayList<>();
        for (Context context : known.getOrDefault(out.thread[row], List.of())) {
            if (context.begin <= commit && commit <= context.end
                    && (self == null || context.isDecidedAfter(self))) {
                around.add(context);
            }
        }
        around.sort((a, b) -> {
            if (a == b) {
                return 0;
            }
            return a.isAround(b) ? -1 : 1;
        });
        return around;
    }

    private boolean compareEvent(RecordedEvent event, List<Context> around, int chunk) {
        List<String> fields = names.computeIfAbsent(event.getEventType(), this::names);
        if (fields.isEmpty()) {
            return true;
        }
        String problem = name == Name.REF
                ? compareReference(event.getValue(fields.get(0)), around, chunk)
                : compareColumns(event, fields, around, chunk);
        if (problem != null) {
            wrong(event.getEventType().getName() + " [" + OracleFile.ticks(event) + "] in chunk "
                    + chunk + ": " + problem + ", but is in " + around);
        }
        return problem == null;
    }

    // The names that the added fields of a type must have; none where it has none, or others.
    private List<String> names(EventType type) {
        int count = addedCount(type);
        int ownCount = type.getFields().size() - count;
        if (count == 0 || ownCount < 0) {
            return List.of();
        }
        List<ValueDescriptor> own = type.getFields().subList(0, ownCount);
        List<ValueDescriptor> added = type.getFields().subList(ownCount, ownCount + count);
        List<String> wanted = name == Name.REF ? List.of("context")
                                               : kinds.columns.stream().map(Column::name).toList();
        List<String> expected = OracleKinds.names(wanted, own);
        List<String> found = added.stream().map(ValueDescriptor::getName).toList();
        if (!found.equals(expected)) {
            wrong(type.getName() + " has got " + found + " instead of " + expected);
            return List.of();
        }
        for (int i = 0; name == Name.FIELDS && i < count; i++) {
            compareLabels(added.get(i), kinds.columns.get(i));
        }
        return expected;
    }

    private void compareLabels(ValueDescriptor found, Column expected) {
        if (!Objects.equals(found.getLabel(), expected.label())
                || !Objects.equals(found.getDescription(), expected.description())) {
            wrong(found.getName() + " is labelled " + found.getLabel() + ": "
                    + found.getDescription() + " instead of " + expected);
        }
    }

    /** These give what is wrong, or null. */
    private String compareColumns(
            RecordedObject found, List<String> fields, List<Context> around, int chunk) {
        Map<String, Context> innermost = new HashMap<>();
        around.forEach(context -> innermost.put(context.type(), context));
        for (int i = 0; i < fields.size(); i++) {
            Column column = kinds.columns.get(i);
            Object value = Canonical.read(found, fields.get(i));
            if (!isRight(value, column, innermost.get(column.kind()), chunk)) {
                return fields.get(i) + " is " + value;
            }
        }
        return null;
    }

    private boolean isRight(Object found, Column column, Context contextOrNull, int chunk) {
        boolean isThere = contextOrNull != null && column.isIn(contextOrNull.event.getEventType());
        Object expected = isThere ? Canonical.read(contextOrNull.event, column.attribute()) : null;
        if (expected == null) {
            return found == null;
        }
        if (column.referenceOrNull() != null) {
            // What the chunk does not describe cannot be referred to.
            return found == null ? contextOrNull.chunk > chunk : isSame(expected, found);
        }
        if (column.numberOrNull() != null) {
            return expected instanceof Byte number ? found.equals(number.intValue())
                                                   : expected.equals(found);
        }
        if (!(found instanceof String text)) {
            return false;
        }
        if (expected instanceof Double || expected instanceof Float) {
            return isNumber((Number) expected, text);
        }
        // Texts that the JVM has put into a pool stay as they are, and one cannot see which it has.
        String whole = String.valueOf(expected);
        return text.equals(whole) || text.equals(cut(withoutHalves(whole)));
    }

    private static String withoutHalves(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(c -> {
            boolean isHalf = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
            out.appendCodePoint(isHalf ? REPLACEMENT : c);
        });
        return out.toString();
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
        return expected instanceof Double
                ? Double.compare((double) expected, Double.parseDouble(text)) == 0
                : Float.compare((float) expected, Float.parseFloat(text)) == 0;
    }

    // A class, method or thread of the next chunk may be described in other words there.
    private boolean isSame(Object expected, Object found) {
        return identity(expected).equals(identity(found));
    }

    private String identity(Object value) {
        if (value instanceof RecordedClass type) {
            return type.getName();
        }
        if (value instanceof RecordedMethod method) {
            return identity(method.getType()) + '.' + method.getName() + method.getDescriptor();
        }
        if (value instanceof RecordedThread thread) {
            return thread.getJavaThreadId() + " " + thread.getOSThreadId();
        }
        return canonical.text(value);
    }

    private String compareReference(RecordedObject innermost, List<Context> around, int chunk) {
        RecordedObject found = innermost;
        int left = around.size() <= 2 * BLOCK ? around.size()
                                              : BLOCK + (around.size() - 1) % BLOCK + 1;
        chainCount += left > 0 ? 1 : 0;
        for (int depth = around.size(); left > 0; depth--, left--) {
            if (found == null) {
                return "only " + (around.size() - depth) + " contexts";
            }
            String problem = compareState(found, around.subList(0, depth), chunk);
            if (problem != null) {
                return problem;
            }
            if (left > 1 && found.getBoolean("truncated") && overlap(around)) {
                shortCount++;
                left = 1;
            }
            if (found.getBoolean("truncated") != (left == 1 && depth > 1)) {
                return "truncated is " + found.getBoolean("truncated") + " at " + depth;
            }
            found = found.getValue("parent");
        }
        return found == null ? null : "a context too many: " + found.getString("type");
    }

    // Where they nest, the outer ones end later.
    private static boolean overlap(List<Context> around) {
        for (int i = 1; i < around.size(); i++) {
            if (around.get(i).end > around.get(i - 1).end) {
                return true;
            }
        }
        return false;
    }

    private String compareState(RecordedObject found, List<Context> around, int chunk) {
        Context expected = around.get(around.size() - 1);
        long begin = found.getValue("startTime");
        if (!expected.type().equals(found.getString("type")) || begin != expected.begin) {
            return "a context is " + found.getString("type") + " of " + begin;
        }
        List<String> wanted = kinds.columns.stream().map(Column::name).toList();
        List<String> names = found.getFields().stream().map(ValueDescriptor::getName).toList();
        return names.subList(2, names.size() - 2).equals(wanted)
                ? compareColumns(found, wanted, around, chunk)
                : "a context has " + names + " instead of " + wanted;
    }
}
