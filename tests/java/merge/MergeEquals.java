// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.jfr.EventType;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Compares a recording of several JVMs with recordings of each: the same events, with the same
 * values, at the same wall times to the nanosecond.
 *
 * <pre>MergeEquals MERGED.jfr PART.jfr...</pre>
 *
 * Times are those by the first clock of each recording, as JDK 25 shows them, but for chunks whose
 * own clock is over a millisecond off that: these have their own. With a single PART, or a slice
 * of one, all chunks have.
 *
 * What only the recording itself understands may differ: ticks, the ids of types in
 * jdk.ActiveSetting (their names may not), and the numbers of contexts. Exit status 0: as expected;
 * 1: not; 3: a part cannot be read; 4: the merged recording cannot.
 */
public final class MergeEquals {
    private static final int SHOWN_MAX = 5;
    // The length of an event is compared by its ends: by these its contexts are found.
    private static final Set<String> ENDS = Set.of("startTime", "duration");
    // By how much the clock of a recording's first chunk may be off in a merged one.
    private static final long DRIFT_MAX_NS = 1_000_000;

    private final Map<String, Integer> balance = new HashMap<>();
    private final Map<String, Integer> partOfEvent = new HashMap<>();
    private final List<Set<String>> constantsOfPart = new ArrayList<>();
    private final Map<String, BitSet> wanted;
    private boolean hasOwnClocks;
    private int strange;

    private MergeEquals(Map<String, BitSet> wanted) {
        this.wanted = wanted;
    }

    static int run(String[] args) {
        return compare(args, Map.of());
    }

    /** Of a part that is a key of wanted, only the events count that have these indexes. */
    static int compare(String[] args, Map<String, BitSet> wanted) {
        return new MergeEquals(wanted).compare(args);
    }

    private int compare(String[] args) {
        long expected = 0;
        hasOwnClocks = args.length == 2 || isSliceOfOne();
        for (int i = 1; i < args.length; i++) {
            constantsOfPart.add(new HashSet<>());
            long count = add(args[i], 1);
            if (count < 0) {
                return 3;
            }
            expected += count;
        }
        long actual = add(args[0], -1);
        if (actual < 0) {
            return 4;
        }
        int missing = report("missing", 1);
        int surplus = report("too many", -1);
        System.out.println("expected " + expected + " actual " + actual + " missing " + missing
                + " surplus " + surplus + " of another JVM " + strange);
        return missing + surplus + strange == 0 ? 0 : 1;
    }

    private long add(String file, int weight) {
        try {
            Reader reader = new Reader(Path.of(file), weight, wanted.get(file));
            OracleFile.read(Path.of(file), reader::visit);
            return reader.count;
        } catch (IOException | RuntimeException | InternalError | StackOverflowError e) {
            System.out.println("cannot read " + file + ": " + e);
            return -1;
        }
    }

    private int report(String what, int sign) {
        int count = 0;
        for (Map.Entry<String, Integer> entry : balance.entrySet()) {
            int n = entry.getValue() * sign;
            if (n > 0 && count < SHOWN_MAX) {
                System.out.println(what + " (" + n + "): " + entry.getKey());
            }
            count += Math.max(n, 0);
        }
        return count;
    }

    private boolean isSliceOfOne() {
        return wanted.values().stream().filter(events -> !events.isEmpty()).count() == 1;
    }

    private final class Reader {
        private final int weight;
        private final Map<Long, String> typeNames = new HashMap<>();
        private final Map<EventType, List<String>> timesOfType = new IdentityHashMap<>();
        private final Canonical own = new Canonical(Canonical.SHORT);
        private final Canonical shown = new Canonical(Canonical.SHORT);
        private final BitSet wantedOrNull;
        private OracleFile.Clock firstOrNull;
        private OracleFile.Clock clock;
        private int chunk = -1;
        private int index;
        private long count;

        private Reader(Path path, int weight, BitSet wantedOrNull) throws IOException {
            this.weight = weight;
            this.wantedOrNull = wantedOrNull;
            try (RecordingFile file = new RecordingFile(path)) {
                file.readEventTypes().forEach(type -> typeNames.put(type.getId(), type.getName()));
            }
        }

        // The values are those of the chunk itself. The whole file shows the same, or constants
        // that another chunk of that JVM has: the JDK's reader takes some from the chunk before, so
        // that threads have old names.
        private void visit(OracleFile.Chunk in, RecordedEvent shownEvent, RecordedEvent ownEvent) {
            if (in.index() != chunk) {
                own.clear();
                shown.clear();
                timesOfType.clear();
                chunk = in.index();
                clock = clockOf(in);
            }
            if (wantedOrNull != null && !wantedOrNull.get(index++)) {
                return;
            }
            Map<String, String> fields = values(own, ownEvent);
            boolean isMerged = weight < 0 && !hasOwnClocks; // every reader shows the same
            String text = fields + (isMerged ? times(shownEvent, null) : times(ownEvent, clock));
            if (weight > 0) {
                partOfEvent.put(text, constantsOfPart.size() - 1);
                constantsOfPart.get(constantsOfPart.size() - 1).addAll(constants(ownEvent, fields));
            } else if (shownEvent != ownEvent) {
                compare(text, ownEvent, fields, values(shown, shownEvent));
            }
            balance.merge(text, weight, Integer::sum);
            count++;
        }

        private OracleFile.Clock clockOf(OracleFile.Chunk in) {
            OracleFile.Clock its = in.clock();
            firstOrNull = firstOrNull == null ? its : firstOrNull;
            long drift = firstOrNull.nanos(its.startTicks()) - its.startNanos();
            boolean hasItsOwn = hasOwnClocks || Math.abs(drift) > DRIFT_MAX_NS
                    || firstOrNull.ticksPerSecond() != its.ticksPerSecond();
            return hasItsOwn ? its : firstOrNull;
        }

        private void compare(String text, RecordedEvent event, Map<String, String> fields,
                Map<String, String> shownFields) {
            if (fields.equals(shownFields) || !partOfEvent.containsKey(text)) {
                return; // or it is missing in the parts, and reported as that
            }
            Set<String> known = constantsOfPart.get(partOfEvent.get(text));
            boolean isKnown = known.containsAll(constants(event, shownFields));
            shownFields.keySet().removeAll(constantNames(event));
            fields.keySet().removeAll(constantNames(event));
            if ((!isKnown || !fields.equals(shownFields)) && strange++ < SHOWN_MAX) {
                System.out.println(
                        "chunk " + chunk + " has " + text + "\nbut the file shows " + shownFields);
            }
        }

        private static List<String> constantNames(RecordedEvent event) {
            return event.getFields()
                    .stream()
                    .filter(field -> !field.getFields().isEmpty())
                    .map(ValueDescriptor::getName)
                    .toList();
        }

        private static List<String> constants(RecordedEvent event, Map<String, String> fields) {
            return constantNames(event)
                    .stream()
                    .filter(fields::containsKey)
                    .map(fields::get)
                    .toList();
        }

        private Map<String, String> values(Canonical canonical, RecordedEvent event) {
            Map<String, String> fields = canonical.fields(event);
            fields.keySet().removeAll(ENDS);
            fields.keySet().removeAll(times(event.getEventType()));
            String type = event.getEventType().getName();
            if (type.endsWith(".ActiveSetting")) {
                fields.put("id", typeNames.get(event.getLong("id")));
            }
            if (isContextOfLoupe(event.getEventType())) {
                fields.remove("contextId");
            }
            return fields;
        }

        private boolean isContextOfLoupe(EventType type) {
            List<ValueDescriptor> fields = type.getFields();
            return fields.size() > 3 && fields.get(3).getName().equals("contextId");
        }

        // The JDK's readers take the first field for the start, be it a key. No clock: as it shows
        // them.
        private String times(RecordedEvent event, OracleFile.Clock clockOrNull) {
            StringBuilder out = new StringBuilder();
            if (event.getFields().get(0).getName().equals("startTime")) {
                long start = OracleFile.ticks(event);
                long duration = event.hasField("duration") ? (long) event.getValue("duration") : 0;
                out.append(clockOrNull == null ? event.getStartTime() : clockOrNull.instant(start));
                out.append(' ').append(clockOrNull == null ? event.getEndTime()
                                                           : clockOrNull.instant(start + duration));
            }
            for (String name : times(event.getEventType())) {
                boolean isPoint =
                        event.getEventType().getField(name).getAnnotation(Timestamp.class) != null;
                out.append(' ').append(name).append('=');
                if (isPoint && clockOrNull != null
                        && (long) event.getValue(name) != Long.MIN_VALUE) {
                    out.append(clockOrNull.instant((long) event.getValue(name)));
                } else {
                    out.append(isPoint ? event.getInstant(name) : event.getDuration(name));
                }
            }
            return out.toString();
        }

        // Other fields that are in ticks.
        private List<String> times(EventType type) {
            return timesOfType.computeIfAbsent(type, unused -> {
                List<String> names = new ArrayList<>();
                for (ValueDescriptor field : type.getFields()) {
                    Timestamp point = field.getAnnotation(Timestamp.class);
                    Timespan length = field.getAnnotation(Timespan.class);
                    if ((point != null && point.value().equals(Timestamp.TICKS)
                                || length != null && length.value().equals(Timespan.TICKS))
                            && !ENDS.contains(field.getName())) {
                        names.add(field.getName());
                    }
                }
                return names;
            });
        }
    }
}
