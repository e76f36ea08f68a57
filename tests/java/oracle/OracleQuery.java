// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.EventType;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedThread;

/**
 * Lists the contexts of a recording and says where their time went, as docs/find/ask.md has
 * it, naively: for each moment of a context it looks at all events in it.
 *
 * <pre>OracleQuery FILE.jfr contexts|why|flamegraph|details|events|attributes SORT|MEASURE|TYPE
 * LIMIT [PARAMETER=VALUE]...</pre>
 *
 * with the parameters context, min, max, from, to (in nanoseconds), thread, trace, and where any
 * number of times. With unit=threads, threads are taken for contexts, and from, to and thread
 * choose their events. app=PACKAGE,... are the application's packages, and libraries=FILE has those
 * of libraries.
 *
 * A line for each row, as JSON in ASCII. contexts: the number of contexts that match, then [type,
 * start, duration, triggers, blocked, thread, {attributes}, first tick, JVM and thread]. why:
 * [requests, total], then [category, total, stopped, events, is count, [[frame, via, total,
 * events], ..]], then ["repeated", [category, frame, via, requests, events, total], ..].
 * flamegraph: [stack trace, amount]. details: [parent, children, events] of each context. events:
 * [type, start, duration, thread, stack, {fields}]. attributes: the number of contexts, and of all
 * others, then [key, value, contexts, others, duration of all].
 */
final class OracleQuery {
    private static final int TEXT_BYTES_MAX = 1024;
    private static final int ATTRIBUTES_MAX = 16;
    private static final int TOP = 5;
    private static final int ONCE_MAX = 10;
    private static final Map<String, String> COUNTED = Map.of("jdk.JavaExceptionThrow",
            "exceptions", "jdk.JavaErrorThrow", "errors", "jdk.Deoptimization", "deoptimization");
    private static final Map<String, Long> UNIT_NANOS = Map.of("ns", 1L, "us", 1000L, "ms",
            1_000_000L, "s", 1_000_000_000L, "m", 60_000_000_000L, "h", 3_600_000_000_000L);
    private static final List<String> BLOCKED =
            List.of("lock", "park", "wait", "sleep", "io", "pinned");
    private static final List<String> ORDER = List.of("lock", "park", "wait", "sleep", "io",
            "pinned", "gc", "safepoint", "class_loading", "compilation", "other", "cpu");

    private static final class Frame {
        String name;
        long nanos;
        long events;
        Map<String, Frame> vias = new HashMap<>();

        Frame(String name) {
            this.name = name;
        }

        void add(long more) {
            nanos += more;
            events++;
        }

        String via() {
            return vias.isEmpty() ? "null" : quote(top(vias).get(0).name);
        }

        static List<Frame> top(Map<String, Frame> frames) {
            return frames.values()
                    .stream()
                    .sorted(Comparator.comparingLong((Frame frame) -> - frame.nanos)
                                    .thenComparingLong(frame -> - frame.events)
                                    .thenComparing(frame -> frame.name))
                    .toList();
        }
    }

    /** A frame with many events of a category in each of some contexts. */
    private record Repeat(Slice slice, Frame frame, long requests, Frame sum) {
        Repeat and(Repeat other) {
            Frame both = new Frame(sum.name);
            both.nanos = sum.nanos + other.sum.nanos;
            both.events = sum.events + other.sum.events;
            return new Repeat(slice, frame, requests + other.requests, both);
        }
    }

    private static final class Slice {
        String name;
        String category;
        String text; // of the type, or of what is counted
        boolean isCount;
        long nanos;
        long stopped;
        long events;
        Map<String, Frame> frames = new HashMap<>();

        Frame add(OracleCode.Name nameOrNull, long nanos) {
            this.nanos += nanos;
            events++;
            if (nameOrNull == null) {
                return null;
            }
            Frame frame = frames.computeIfAbsent(nameOrNull.frame(), Frame::new);
            frame.add(nanos);
            if (nameOrNull.viaOrNull() != null) {
                frame.vias.computeIfAbsent(nameOrNull.viaOrNull(), Frame::new).add(nanos);
            }
            return frame;
        }
    }

    private final List<OracleRow> all = new ArrayList<>();
    private final List<OracleRow> contexts = new ArrayList<>();
    private final List<OracleRow> rest = new ArrayList<>(); // the other contexts, of the base
    private final List<Predicate<OracleRow>> baseConditions = new ArrayList<>();
    private final Map<String, List<OracleRow>> events = new HashMap<>();
    private final List<OracleRow> pauses = new ArrayList<>();
    private final TreeMap<Integer, TreeMap<Long, Long>> periods = new TreeMap<>(); // by chunk
    private final List<OracleRow> settings = new ArrayList<>(); // of the period of any type
    private final OracleJvms jvms = new OracleJvms();
    private final Set<Long> sampleTypes = new HashSet<>();
    private boolean hasCpuTime;
    private boolean hasAllocationSamples;
    private boolean isOfThreads;
    private long fromNanos = Long.MIN_VALUE; // that is asked for
    private int count;
    private List<OracleFile.Chunk> chunks;
    private final OracleCode code = new OracleCode();
    private final Map<List<String>, Repeat> repeats = new HashMap<>(); // by category and frame

    /** All of these have to hold for a context. */
    private final List<Predicate<OracleRow>> conditions = new ArrayList<>();

    static int run(String[] args) throws Exception {
        OracleQuery query = read(Path.of(args[0]), List.of(args).subList(4, args.length));
        query.settings.stream()
                .filter(setting -> query.sampleTypes.contains(setting.event.getLong("id")))
                .forEach(setting
                        -> query.periods.computeIfAbsent(setting.chunk, unused -> new TreeMap<>())
                                   .put(setting.commit, setting.period));
        if (query.isOfThreads) {
            query.takeThreads();
        }
        query.fill();
        if (args[1].equals("why")) {
            query.why();
        } else if (args[1].equals("flamegraph")) {
            query.flamegraph(args[2]);
        } else if (args[1].equals("attributes")) {
            query.attributes();
        } else if (args[1].equals("events")) {
            query.events(args[2]);
        } else if (args[1].equals("details")) {
            query.details(args[2], Integer.parseInt(args[3]));
        } else {
            query.list(args[2], Integer.parseInt(args[3]));
        }
        return 0;
    }

    private static OracleQuery read(Path file, List<String> selection) throws IOException {
        OracleQuery query = new OracleQuery();
        selection.forEach(query::select);
        query.chunks = OracleFile.chunks(file);
        OracleFile.read(file, query::add);
        query.narrow();
        return query;
    }

    /** When a context was open, in ticks, and on which thread. */
    record Open(String thread, long begin, long end) {}

    /** The contexts of a recording that a selection wants. */
    static List<Open> contexts(Path file, List<String> selection) throws IOException {
        return read(file, selection)
                .contexts.stream()
                .map(context -> new Open(context.thread, context.begin, context.commit))
                .toList();
    }

    private void select(String parameter) {
        int at = parameter.indexOf('=');
        if (parameter.equals("unit=threads")) {
            isOfThreads = true;
            return;
        }
        if (code.select(parameter)) {
            return;
        }
        if (parameter.startsWith("from=")) {
            fromNanos = Long.parseLong(parameter.substring(at + 1));
        }
        Predicate<OracleRow> condition =
                condition(parameter.substring(0, at), parameter.substring(at + 1));
        conditions.add(condition);
        if (List.of("context", "from", "to").contains(parameter.substring(0, at))) {
            baseConditions.add(condition);
        }
    }

    private static Predicate<OracleRow> condition(String name, String value) {
        switch (name) {
            case "context":
                return row -> row.type.equals(value) || row.type.endsWith("." + value);
            case "min":
                return row -> row.duration() >= Long.parseLong(value);
            case "max":
                return row -> row.duration() <= Long.parseLong(value);
            case "from":
                return row -> row.beginNanos >= Long.parseLong(value);
            case "to":
                return row -> row.beginNanos < Long.parseLong(value);
            case "thread":
                return row -> value.equals(row.threadName) || value.equals(row.javaThreadOrNull);
            case "trace":
                return row
                        -> row.attributes.entrySet().stream().anyMatch(attribute
                                -> isTraceId(attribute.getKey())
                                        && attribute.getValue().equalsIgnoreCase(value));
            case "where":
                return where(value);
            default:
                throw new IllegalArgumentException(name);
        }
    }

    private static boolean isTraceId(String name) {
        return name.replaceAll("[_. -]", "").equalsIgnoreCase("traceid");
    }

    private static Predicate<OracleRow> where(String condition) {
        Matcher parts =
                Pattern.compile("([^=]*?)(!=|\\^=|>=|<=|=)(.*)", Pattern.DOTALL).matcher(condition);
        if (!parts.matches()) {
            throw new IllegalArgumentException(condition);
        }
        String key = parts.group(1);
        String value = parts.group(3);
        switch (parts.group(2)) {
            case "=":
                return row -> value.equals(row.attributes.get(key));
            case "!=":
                return row -> !value.equals(row.attributes.get(key));
            case "^=":
                return row
                        -> row.attributes.getOrDefault(key, "").startsWith(value)
                        && row.attributes.containsKey(key);
            case ">=":
                return row -> order(row.attributes.get(key), value).filter(o -> o >= 0).isPresent();
            default:
                return row -> order(row.attributes.get(key), value).filter(o -> o <= 0).isPresent();
        }
    }

    /** The order of two numbers; none where the first is no number. */
    private static Optional<Integer> order(String textOrNull, String number) {
        if (textOrNull == null || !textOrNull.matches("[-+.0-9eE]+")) {
            return Optional.empty();
        }
        try {
            return Optional.of(new BigDecimal(textOrNull).compareTo(new BigDecimal(number)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    // --- Reading

    private void add(OracleFile.Chunk chunk, RecordedEvent shown, RecordedEvent own) {
        EventType type = own.getEventType();
        OracleRow row = new OracleRow();
        row.index = count++;
        jvms.add(chunk, own);
        code.learn(chunk, own);
        row.chunk = chunk.index();
        row.type = type.getName();
        row.event = own;
        row.isPark = isPark(own);
        row.isContext = OracleEvents.isAnnotated(type) && !row.isPark;
        row.hasDuration = type.getField("duration") != null;
        row.begin = OracleFile.ticks(own);
        row.commit = row.begin + (row.hasDuration ? (long) own.getValue("duration") : 0);
        row.begin = Math.min(row.begin, row.commit);
        row.setClock(chunk.clock());
        setThread(row, thread(own) == null ? shown : own, chunk);
        all.add(row);
        if (row.type.equals("jdk.ActiveSetting")) {
            row.period = periodOf(own);
            if (row.period > 0) {
                settings.add(row);
            }
        } else if (row.isContext) {
            row.attributes = attributes(own);
            row.contextId = contextId(own);
            if (row.thread != null) {
                contexts.add(row);
            }
        } else if (OracleRow.isPause(row.type)) {
            if (!own.hasField("safepoint") || own.getBoolean("safepoint")) {
                pauses.add(row);
            }
        } else if (row.thread != null) {
            row.bytes = bytes(own);
            hasAllocationSamples |= row.type.equals("jdk.ObjectAllocationSample");
            if (row.type.equals("jdk.CPUTimeSample")) {
                row.period = own.getDuration("samplingPeriod").toNanos();
                hasCpuTime = true;
            } else if (row.type.equals("jdk.ExecutionSample")) {
                sampleTypes.add(type.getId());
            }
            events.computeIfAbsent(row.thread, unused -> new ArrayList<>()).add(row);
        }
    }

    private static boolean isPark(RecordedEvent event) {
        if (!event.getEventType().getName().equals("jdk.MethodTrace")) {
            return false;
        }
        RecordedMethod method = event.getValue("method");
        return method != null && method.getType().getName().equals("java.lang.VirtualThread")
                && method.getName().startsWith("park");
    }

    /** The thread that an event is on; null if there is none. */
    static RecordedThread thread(RecordedEvent event) {
        String field = event.hasField("eventThread") ? "eventThread"
                : event.hasField("sampledThread")    ? "sampledThread"
                                                     : null;
        return field == null ? null : event.getThread(field);
    }

    private static void setThread(OracleRow row, RecordedEvent event, OracleFile.Chunk chunk) {
        RecordedThread thread = thread(event);
        if (thread != null) {
            long id = thread.getJavaThreadId();
            row.thread = identity(thread, chunk);
            row.javaThreadOrNull = id > 0 ? String.valueOf(id) : null;
            String name = thread.getJavaName();
            row.threadName = name != null && !name.isEmpty() ? name : thread.getOSName();
        }
    }

    /** The same for a thread in all chunks of its JVM. */
    static String identity(RecordedThread thread, OracleFile.Chunk chunk) {
        boolean isJava = thread.getJavaThreadId() > 0;
        return chunk.first() + (isJava ? "java" : "os")
                + (isJava ? thread.getJavaThreadId() : thread.getOSThreadId());
    }

    /** The period that a setting says; 0 if it says none. */
    static long periodOf(RecordedEvent setting) {
        if (!"period".equals(setting.getString("name"))) {
            return 0;
        }
        String[] words = String.valueOf(setting.getString("value")).split(" ");
        boolean isPeriod = words.length == 2 && UNIT_NANOS.containsKey(words[1]);
        return isPeriod ? Long.parseLong(words[0]) * UNIT_NANOS.get(words[1]) : 0;
    }

    private static long contextId(RecordedEvent event) {
        List<ValueDescriptor> fields = event.getEventType().getFields();
        boolean isThere = fields.size() > 3 && fields.get(3).getName().equals("contextId");
        return isThere ? event.getLong("contextId") : 0;
    }

    private static Map<String, String> attributes(RecordedEvent event) {
        Map<String, String> attributes = new LinkedHashMap<>();
        List<ValueDescriptor> fields = event.getEventType().getFields();
        boolean takesAll = fields.stream().noneMatch(
                field -> OracleEvents.isContextual(field.getAnnotationElements()));
        int taken = 0;
        for (ValueDescriptor field : fields) {
            boolean isWanted = takesAll
                    ? !List.of("startTime", "duration", "eventThread", "stackTrace")
                               .contains(field.getName())
                    : OracleEvents.isContextual(field.getAnnotationElements());
            Object value = isWanted ? event.getValue(field.getName()) : null;
            boolean isText = value instanceof String || value instanceof Number
                    || value instanceof Boolean || value instanceof Character;
            boolean isReference =
                    List.of("java.lang.Class", "java.lang.Thread").contains(field.getTypeName());
            boolean counts = isWanted && (isText || isReference || value == null);
            taken += counts ? 1 : 0;
            if (isText && taken <= ATTRIBUTES_MAX) {
                attributes.put(field.getName(), cut(value.toString()));
            }
        }
        return attributes;
    }

    /** The text with U+FFFD for halves of characters. */
    static String replaceLone(String text) {
        StringBuilder whole = new StringBuilder();
        text.codePoints().forEach(
                c -> whole.appendCodePoint(c >= 0xd800 && c < 0xe000 ? 0xfffd : c));
        return whole.toString();
    }

    private static String cut(String text) {
        byte[] bytes = replaceLone(text).getBytes(StandardCharsets.UTF_8);
        int end = Math.min(bytes.length, TEXT_BYTES_MAX);
        while (end < bytes.length && (bytes[end] & 0xc0) == 0x80) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    /** Where an event was; null if it does not say so. */
    private OracleCode.Name nameOrNull(OracleRow row) {
        if (OracleRow.isPause(row.type) || row.event.getStackTrace() == null) {
            return null;
        }
        List<String> frames =
                row.event.getStackTrace().getFrames().stream().map(OracleFields::name).toList();
        return frames.isEmpty() ? null : code.name(frames, chunks.get(row.chunk));
    }

    private static long bytes(RecordedEvent event) {
        switch (event.getEventType().getName()) {
            case "jdk.ObjectAllocationSample":
                return event.getLong("weight");
            case "jdk.ObjectAllocationInNewTLAB":
                return event.getLong("tlabSize");
            case "jdk.ObjectAllocationOutsideTLAB":
                return event.getLong("allocationSize");
            default:
                return 0;
        }
    }

    // --- Which contexts, and what is in them

    /** Makes one context of the parts that have an id in common: with what the last one says. */
    private void join() {
        Map<String, OracleRow> whole = new HashMap<>();
        List<OracleRow> parts = List.copyOf(contexts);
        contexts.clear();
        for (OracleRow part : parts) {
            String id = chunks.get(part.chunk).first() + part.type + part.contextId;
            OracleRow known = part.contextId == 0 ? null : whole.get(id);
            if (known == null) {
                contexts.add(part);
                whole.put(id, part);
                continue;
            }
            OracleRow last = part.commit >= known.commit ? part : known;
            OracleFile.Clock first = part.begin < known.begin ? part.clock : known.clock;
            last.begin = Math.min(part.begin, known.begin);
            last.setClock(first);
            contexts.set(contexts.indexOf(known), last);
            whole.put(id, last);
        }
    }

    private void narrow() {
        join();
        contexts.stream()
                .filter(context -> !conditions.stream().allMatch(c -> c.test(context)))
                .filter(context -> baseConditions.stream().allMatch(c -> c.test(context)))
                .forEach(rest::add);
        contexts.removeIf(
                context -> !conditions.stream().allMatch(condition -> condition.test(context)));
        Map<String, List<OracleRow>> byThread =
                contexts.stream().collect(Collectors.groupingBy(context -> context.thread));
        for (List<OracleRow> rows : byThread.values()) {
            for (OracleRow context : rows) {
                context.isInner = rows.stream().anyMatch(other -> isAround(other, context));
            }
        }
    }

    /** Makes a context of each thread, from its first event to its last. */
    private void takeThreads() {
        Map<String, List<OracleRow>> byThread = new LinkedHashMap<>();
        for (OracleRow row : all) {
            boolean counts = row.thread != null && !OracleRow.isPause(row.type)
                    && !row.type.equals("jdk.ActiveSetting");
            if (counts && conditions.stream().allMatch(condition -> condition.test(atEnd(row)))) {
                byThread.computeIfAbsent(row.thread, unused -> new ArrayList<>()).add(row);
            }
        }
        contexts.clear();
        for (List<OracleRow> rows : byThread.values()) {
            OracleRow first = rows.get(0);
            OracleRow whole = new OracleRow();
            whole.thread = first.thread;
            whole.begin = rows.stream().mapToLong(this::beginOf).min().getAsLong();
            whole.commit = rows.stream().mapToLong(row -> row.commit).max().getAsLong();
            rows.stream()
                    .filter(row -> row.type.equals("jdk.ExecutionSample"))
                    .min(Comparator.comparingLong(row -> row.commit))
                    .ifPresent(row
                            -> whole.begin = Math.min(
                                       whole.begin, row.commit - row.clock.ticks(period(row))));
            if (fromNanos > first.clock.startNanos()) {
                long from = first.clock.startTicks()
                        + first.clock.ticks(fromNanos - first.clock.startNanos());
                whole.begin = from <= whole.commit ? Math.max(whole.begin, from) : whole.begin;
            }
            whole.setClock(first.clock);
            contexts.add(whole);
        }
    }

    private long beginOf(OracleRow row) {
        boolean isCpuTime = row.type.equals("jdk.CPUTimeSample");
        return isCpuTime ? row.begin - row.clock.ticks(row.period) : row.begin;
    }

    // What conditions look at, of an event.
    private static OracleRow atEnd(OracleRow event) {
        OracleRow end = new OracleRow();
        end.beginNanos = event.endNanos;
        end.threadName = event.threadName;
        end.javaThreadOrNull = event.javaThreadOrNull;
        return end;
    }

    private static boolean isAround(OracleRow other, OracleRow context) {
        boolean isSame = other.begin == context.begin && other.commit == context.commit;
        return other.begin <= context.begin && other.commit >= context.commit
                && (!isSame || other.index > context.index);
    }

    private void fill() {
        for (OracleRow context : contexts) {
            for (OracleRow event : events.getOrDefault(context.thread, List.of())) {
                if (context.applies(event)) {
                    context.events.add(event);
                }
            }
            for (OracleRow pause : pauses) {
                if (context.applies(pause)) {
                    context.pauses.add(pause);
                }
            }
        }
    }

    /** The time of a context, by event; what is left is that of null. */
    private static Map<OracleRow, Long> split(OracleRow context) {
        return split(context, OracleQuery::counting, nanos -> true);
    }

    /** The same, of the time in which the JVM was stopped. */
    private static Map<OracleRow, Long> splitStopped(OracleRow context) {
        return split(context, OracleQuery::counting, nanos -> isStopped(context, nanos));
    }

    private static Map<OracleRow, Long> split(OracleRow context,
            BiFunction<OracleRow, Long, OracleRow> counting, LongPredicate counts) {
        TreeSet<Long> moments = new TreeSet<>(List.of(context.beginNanos, context.endNanos));
        for (OracleNested rows : List.of(context.pinned(), context.counting(), context.stops())) {
            rows.forEachMoment(nanos -> moments.add(inside(context, nanos)));
        }
        Map<OracleRow, Long> split = new HashMap<>();
        Long begin = null;
        for (Long moment : moments) {
            if (begin != null && counts.test(begin)) {
                split.merge(counting.apply(context, begin), moment - begin, Long::sum);
            }
            begin = moment;
        }
        return split;
    }

    private static long inside(OracleRow context, long nanos) {
        return Math.min(Math.max(nanos, context.beginNanos), context.endNanos);
    }

    // Of the thread alone, whether the JVM was stopped or not.
    private static OracleRow countingOnThread(OracleRow context, long nanos) {
        OracleRow pinned = context.pinned().innermost(nanos);
        return pinned != null ? pinned : context.counting().innermost(nanos);
    }

    private static OracleRow counting(OracleRow context, long nanos) {
        OracleRow pinned = context.pinned().innermost(nanos);
        OracleRow inner = context.counting().innermost(nanos);
        OracleRow pause = context.stops().innermost(nanos);
        boolean waits = inner != null
                && List.of("lock", "park", "wait", "sleep").contains(inner.category());
        if (pinned != null) {
            return pinned;
        }
        return pause == null || waits ? inner : pause;
    }

    private static boolean isStopped(OracleRow context, long nanos) {
        return context.stops().innermost(nanos) != null;
    }

    // --- Answers

    private static ToLongFunction<OracleRow> key(String sort) {
        switch (sort) {
            case "duration":
                return row -> - row.duration();
            case "start":
                return row -> row.beginNanos;
            case "triggers":
                return row -> - row.events.size();
            case "blocked":
                return row -> - row.blocked;
            default:
                throw new IllegalArgumentException(sort);
        }
    }

    private void list(String sort, int limit) {
        for (OracleRow context : contexts) {
            split(context, OracleQuery::countingOnThread, nanos -> true).forEach((event, nanos) -> {
                if (event != null && BLOCKED.contains(event.category())) {
                    context.blocked += nanos;
                }
            });
        }
        contexts.sort(Comparator.comparingLong(key(sort))
                              .thenComparingLong(row -> row.beginNanos)
                              .thenComparingInt(row -> row.chunk)
                              .thenComparingInt(row -> row.index));
        System.out.println(contexts.size());
        for (OracleRow row : contexts.subList(0, Math.min(limit, contexts.size()))) {
            String attributes =
                    row.attributes.entrySet()
                            .stream()
                            .map(entry -> quote(entry.getKey()) + ": " + quote(entry.getValue()))
                            .collect(Collectors.joining(", ", "{", "}"));
            System.out.println("[" + quote(row.type) + ", " + row.beginNanos + ", " + row.duration()
                    + ", " + row.events.size() + ", " + row.blocked + ", "
                    + quote(row.threadName == null ? "" : row.threadName) + ", " + attributes + ", "
                    + row.begin + ", " + quote(row.thread) + "]");
        }
    }

    /** How many contexts have each value, and how many of the others. */
    private void attributes() {
        Map<String, long[]> values = new TreeMap<>();
        for (List<OracleRow> rows : List.of(contexts, rest)) {
            int at = rows == contexts ? 0 : 1;
            for (OracleRow row : rows) {
                row.attributes.forEach((key, value) -> {
                    long[] counts = values.computeIfAbsent(
                            quote(key) + ", " + quote(value), unused -> new long[3]);
                    counts[at]++;
                    counts[2] += at == 0 ? row.duration() : 0;
                });
            }
        }
        System.out.println("[" + contexts.size() + ", " + rest.size() + "]");
        values.forEach((value, counts)
                               -> System.out.println("[" + value + ", " + counts[0] + ", "
                                       + counts[1] + ", " + counts[2] + "]"));
    }

    private static final Comparator<OracleRow> BY_BEGIN =
            Comparator.comparingLong((OracleRow row) -> row.beginNanos)
                    .thenComparingInt(row -> row.chunk)
                    .thenComparingInt(row -> row.index);

    /**
     * The events of a type, or of all (*): in contexts that match, if anything is asked of these.
     */
    private void events(String type) {
        Predicate<OracleRow> isOfType =
                row -> type.equals("*") || row.type.equals(type) || row.type.endsWith("." + type);
        (conditions.isEmpty() ? all.stream()
                              : contexts.stream().flatMap(context -> context.events.stream()))
                .distinct()
                .filter(isOfType)
                .sorted(BY_BEGIN)
                .forEach(row -> System.out.println(json(row)));
    }

    private static String json(OracleRow row) {
        RecordedThread thread = thread(row.event);
        return "[" + quote(row.type) + ", " + row.beginNanos + ", "
                + (row.hasDuration ? String.valueOf(row.duration()) : "null") + ", "
                + (thread == null ? "null" : quote(OracleFields.name(thread))) + ", "
                + OracleFields.stack(row.event) + ", " + OracleFields.json(row.event) + "]";
    }

    private OracleRow parent(OracleRow context) {
        return contexts.stream()
                .filter(other
                        -> other != context && other.thread.equals(context.thread)
                                && isAround(other, context))
                .max(Comparator.comparingLong((OracleRow row) -> row.begin)
                                .thenComparingLong(row -> - row.commit)
                                .thenComparingInt(row -> - row.index))
                .orElse(null);
    }

    /** Of each of the first contexts the one around it, those in it, and the events in it. */
    private void details(String sort, int limit) {
        Map<OracleRow, OracleRow> parents = new HashMap<>();
        contexts.forEach(context -> parents.put(context, parent(context)));
        contexts.sort(Comparator.comparingLong(key(sort)).thenComparing(BY_BEGIN));
        for (OracleRow context : contexts.subList(0, Math.min(limit, contexts.size()))) {
            OracleRow parent = parents.get(context);
            List<OracleRow> inside = new ArrayList<>(context.events);
            inside.addAll(context.pauses);
            System.out.println("[" + (parent == null ? "null" : span(parent)) + ", "
                    + contexts.stream()
                              .filter(other -> parents.get(other) == context)
                              .sorted(BY_BEGIN)
                              .map(OracleQuery::span)
                              .collect(Collectors.joining(", ", "[", "]"))
                    + ", "
                    + inside.stream()
                              .sorted(BY_BEGIN)
                              .map(OracleQuery::json)
                              .collect(Collectors.joining(", ", "[", "]"))
                    + "]");
        }
    }

    private static String span(OracleRow context) {
        return "[" + quote(context.type) + ", " + context.beginNanos + ", " + context.duration()
                + "]";
    }

    private void why() {
        Map<String, Slice> slices = new TreeMap<>();
        long requests = 0;
        long total = 0;
        long left = 0;
        for (OracleRow context : contexts) {
            if (context.isInner) {
                continue;
            }
            Map<OracleRow, Long> split = split(context);
            Map<OracleRow, Long> stopped = splitStopped(context);
            requests++;
            total += context.duration();
            left += split.getOrDefault(null, 0L);
            for (OracleRow row : context.events) {
                addTo(slices, context, row, split.getOrDefault(row, 0L),
                        stopped.getOrDefault(row, 0L));
            }
            for (OracleRow row : context.pauses) {
                addTo(slices, context, row, split.getOrDefault(row, 0L), 0);
            }
            endContext();
        }
        left -= fitSamples(slices.get("cpu"), left);
        System.out.println("[" + requests + ", " + total + "]");
        slices.values()
                .stream()
                .sorted(Comparator.comparingLong((Slice slice) -> - slice.nanos)
                                .thenComparingInt(slice -> ORDER.indexOf(slice.category))
                                .thenComparing(slice -> slice.text))
                .forEach(OracleQuery::print);
        System.out.println("[\"unaccounted\", " + left + ", 0, 0, false, []]");
        System.out.println(repeats.values()
                                   .stream()
                                   .sorted(Comparator.comparingLong((Repeat r) -> - r.sum.nanos)
                                                   .thenComparingLong(r -> - r.sum.events)
                                                   .thenComparing(r -> r.sum.name))
                                   .limit(TOP)
                                   .map(OracleQuery::json)
                                   .collect(Collectors.joining(", ", "[\"repeated\", ", "]"))
                                   .replace(", ]", "]"));
    }

    private static String json(Repeat repeat) {
        return "[" + quote(repeat.slice.name) + ", " + quote(repeat.sum.name) + ", "
                + repeat.frame.via() + ", " + repeat.requests + ", " + repeat.sum.events + ", "
                + repeat.sum.nanos + "]";
    }

    /** Of the context at hand, by category and frame. */
    private final Map<List<String>, Repeat> here = new HashMap<>();

    private void endContext() {
        here.forEach((key, repeat) -> {
            if (repeat.sum.events > ONCE_MAX) {
                repeats.merge(key, repeat, Repeat::and);
            }
        });
        here.clear();
    }

    private void addTo(
            Map<String, Slice> slices, OracleRow context, OracleRow row, long nanos, long stopped) {
        String category = row.category();
        boolean isAgain = hasCpuTime && row.type.equals("jdk.ExecutionSample");
        if (isAgain
                || (category.equals("cpu")
                        && counting(context, context.clock.nanos(row.begin)) != null)) {
            return;
        }
        String counted = COUNTED.get(row.type);
        if (category.equals("other") && !row.hasDuration && counted == null) {
            return;
        }
        String name = counted != null      ? counted
                : category.equals("other") ? "other: " + row.type
                                           : category;
        Slice slice = slices.computeIfAbsent(name, unused -> new Slice());
        slice.name = name;
        slice.category = category;
        slice.isCount = counted != null;
        slice.text = counted != null ? counted : category.equals("other") ? row.type : "";
        Frame frame = slice.add(nameOrNull(row), category.equals("cpu") ? period(row) : nanos);
        if (frame != null && !category.equals("cpu") && counted == null) {
            Repeat repeat = here.computeIfAbsent(List.of(name, frame.name),
                    unused -> new Repeat(slice, frame, 1, new Frame(frame.name)));
            repeat.sum.add(nanos);
        }
        slice.stopped += category.equals("cpu") ? 0 : stopped;
    }

    /** Amounts by stack trace, of which the last frame says what went on. */
    private void flamegraph(String measure) {
        Map<String, Long> amounts = new TreeMap<>();
        Map<String, Long> samples = new TreeMap<>(); // of running threads, by the frames
        long left = 0;
        for (OracleRow context : contexts) {
            if (context.isInner) {
                continue;
            }
            Map<OracleRow, Long> split = split(context);
            left += split.getOrDefault(null, 0L);
            for (OracleRow row : context.events) {
                boolean isAgain = hasCpuTime && row.type.equals("jdk.ExecutionSample");
                if (row.category().equals("cpu") && !isAgain) {
                    boolean isTime = measure.equals("time");
                    if (measure.equals("count") || measure.equals("cpu")
                            || (isTime
                                    && counting(context, context.clock.nanos(row.begin)) == null)) {
                        samples.merge(row.stackOr("[cpu];"),
                                measure.equals("count") ? 1 : period(row), Long::sum);
                    }
                    continue;
                }
                String leaf = row.category().equals("other") || isAgain ? "other: " + row.type
                                                                        : row.category();
                long nanos = split.getOrDefault(row, 0L);
                if (measure.equals("alloc")) {
                    boolean counts =
                            !hasAllocationSamples || row.type.equals("jdk.ObjectAllocationSample");
                    amounts.merge(row.stackOr("[alloc];"), counts ? row.bytes : 0, Long::sum);
                } else if (measure.equals("count") || measure.equals("time")
                        || measure.equals(leaf)) {
                    amounts.merge(row.stackOr("") + "[" + leaf + "];",
                            measure.equals("count") ? 1 : nanos, Long::sum);
                }
            }
            for (OracleRow row : context.pauses) {
                if (measure.equals("count") || measure.equals("time")) {
                    amounts.merge("[" + row.category() + "];",
                            measure.equals("count") ? 1 : split.getOrDefault(row, 0L), Long::sum);
                }
            }
        }
        if (measure.equals("time")) {
            amounts.put("[not accounted];", left - fitStacks(samples, left));
        }
        samples.forEach((stack, amount) -> amounts.merge(stack, amount, Long::sum));
        amounts.forEach((stack, amount) -> {
            if (amount > 0) {
                System.out.println("["
                        + quote(stack.substring(0, stack.length() - 1)
                                        .replaceAll("[\\x00-\\x1f]", "_"))
                        + ", " + amount + "]");
            }
        });
    }

    /** Makes the time of samples no more than what is left, and returns the sum. */
    private static long fitStacks(Map<String, Long> samples, long left) {
        long sampled = samples.values().stream().mapToLong(nanos -> nanos).sum();
        if (sampled <= left) {
            return sampled;
        }
        samples.replaceAll((stack, nanos) -> Math.multiplyExact(nanos, left) / sampled);
        long fitted = samples.values().stream().mapToLong(nanos -> nanos).sum();
        samples.merge("[cpu];", left - fitted, Long::sum);
        return left;
    }

    private long period(OracleRow sample) {
        if (hasCpuTime) {
            return sample.period;
        }
        TreeMap<Long, Long> own = periods.get(sample.chunk);
        if (own != null) {
            Map.Entry<Long, Long> last = own.floorEntry(sample.commit);
            return (last == null ? own.firstEntry() : last).getValue();
        }
        int first = chunks.get(sample.chunk).first();
        TreeMap<Integer, TreeMap<Long, Long>> ofJvm = new TreeMap<>(periods);
        ofJvm.keySet().removeIf(
                chunk -> !jvms.areOne(chunk, chunks.get(chunk).first(), sample.chunk, first));
        Map.Entry<Integer, TreeMap<Long, Long>> before = ofJvm.lowerEntry(sample.chunk);
        return before != null     ? before.getValue().lastEntry().getValue()
                : ofJvm.isEmpty() ? 0
                                  : ofJvm.firstEntry().getValue().firstEntry().getValue();
    }

    private static long fitSamples(Slice cpu, long left) {
        if (cpu == null) {
            return 0;
        }
        long sampled = cpu.nanos;
        if (sampled > left) {
            cpu.nanos = left;
            for (Frame frame : cpu.frames.values()) {
                frame.nanos = Math.multiplyExact(frame.nanos, left) / sampled;
            }
        }
        return cpu.nanos;
    }

    private static void print(Slice slice) {
        String top = Frame.top(slice.frames)
                             .stream()
                             .limit(TOP)
                             .map(frame
                                     -> "[" + quote(frame.name) + ", " + frame.via() + ", "
                                             + frame.nanos + ", " + frame.events + "]")
                             .collect(Collectors.joining(", ", "[", "]"));
        System.out.println("[" + quote(slice.name) + ", " + slice.nanos + ", " + slice.stopped
                + ", " + slice.events + ", " + slice.isCount + ", " + top + "]");
    }

    static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            boolean isPlain = c >= ' ' && c < 0x7f && c != '"' && c != '\\';
            if (isPlain) {
                quoted.append(c);
            } else {
                quoted.append(String.format("\\u%04x", (int) c));
            }
        }
        return quoted.append('"').toString();
    }
}
