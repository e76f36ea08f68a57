// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.testapps.OracleDecision.Verdict;
import dev.loupe.testapps.OraclePolicy.Rule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * The events dev.loupe.Accounting of an output, which have to say of each type what the oracle
 * itself counts: how many events the input had, and how many were dropped by which setting; and
 * their own numbers have to be the sums. Those that the input has stay, and are about what was
 * dropped before.
 */
final class OracleAccounts {
    static final String TYPE = "dev.loupe.Accounting";
    private static final List<String> REASONS =
            List.of("withheld", "enabled", "threshold", "contextThreshold", "contextMatch",
                    "contextThrottle", "select", "filter", "throttle", "damaged");

    /** Of a type and, where it is not null, of a reason. */
    private record Key(String type, String reason) {}

    private final Map<Key, Long> said = new HashMap<>();
    private final Map<Key, Long> dropped = new HashMap<>();
    private final Map<Key, Long> either = new HashMap<>(); // and so many may have been
    private final Map<Key, Long> offered = new HashMap<>();
    private final Set<String> badSums = new TreeSet<>();

    OracleAccounts(OracleEvents in, OracleDecision decision, Path inPath, Path outPath)
            throws IOException {
        for (int i = 0; i < in.count; i++) {
            String type = in.typeOf(i).name();
            offered.merge(new Key(type, null), 1L, Long::sum);
            Verdict verdict = decision.verdicts[i];
            if (verdict != Verdict.KEPT) {
                Key key = new Key(type, reason(in, decision, i));
                (verdict == Verdict.DROPPED ? dropped : either).merge(key, 1L, Long::sum);
            }
        }
        add(outPath, 1);
        add(inPath, -1);
    }

    private void add(Path path, int sign) throws IOException {
        try (RecordingFile file = new RecordingFile(path)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (event.getEventType().getName().equals(TYPE)) {
                    add(event, sign);
                }
            }
        }
    }

    private static String reason(OracleEvents in, OracleDecision decision, int event) {
        Rule rule = decision.rule(event);
        long duration = in.commit[event] - in.begin[event];
        if (!rule.isEnabled()) {
            return "enabled";
        }
        if (!rule.passes(duration, in.typeOf(event).ticksPerSecond())) {
            return "threshold";
        }
        if (!rule.isLongEnough(duration, in.typeOf(event).ticksPerSecond())) {
            return "contextThreshold";
        }
        if (!decision.isMatch(event)) {
            return "contextMatch";
        }
        return decision.matters(event) ? "select" : "contextThrottle";
    }

    private void add(RecordedEvent event, int sign) {
        Map<String, Long> sums = new HashMap<>();
        for (String type : event.getString("eventTypes").split("; ")) {
            String[] words = type.split(" ");
            Map<String, Long> numbers = new HashMap<>();
            for (int i = 1; i < words.length; i++) {
                int equals = words[i].indexOf('=');
                numbers.put(words[i].substring(0, equals),
                        Long.parseLong(words[i].substring(equals + 1)));
            }
            numbers.forEach((field, number) -> sums.merge(field, number, Long::sum));
            add(words[0], numbers, sign);
        }
        List<String> fields = new ArrayList<>(REASONS);
        fields.addAll(List.of("offered", "kept"));
        for (String field : fields) {
            if (event.getLong(field) != sums.getOrDefault(field, 0L)) {
                badSums.add(field);
            }
        }
    }

    private void add(String type, Map<String, Long> numbers, int sign) {
        long unknown = numbers.get("offered") - numbers.getOrDefault("kept", 0L);
        for (String reason : REASONS) {
            long number = numbers.getOrDefault(reason, 0L);
            said.merge(new Key(type, reason), sign * number, Long::sum);
            unknown -= number;
        }
        said.merge(new Key(type, null), sign * unknown, Long::sum);
    }

    /** The wrong counts, by type and reason; empty if all are right. */
    Map<String, String> findWrong() {
        Map<String, String> wrong = new TreeMap<>();
        TreeSet<String> types = new TreeSet<>();
        badSums.forEach(field -> wrong.put(field, "of the event is no sum over its types"));
        said.keySet().forEach(key -> types.add(key.type));
        dropped.keySet().forEach(key -> types.add(key.type));
        for (String type : types) {
            if (said.getOrDefault(new Key(type, null), 0L) != 0) {
                wrong.put(type, "offered is not kept and dropped");
            }
            for (String reason : REASONS) {
                Key key = new Key(type, reason);
                long found = said.getOrDefault(key, 0L);
                long least = dropped.getOrDefault(key, 0L);
                long most = least + either.getOrDefault(key, 0L);
                if (found < least || found > most) {
                    wrong.put(type + " by " + reason,
                            found + ", not " + least + " to " + most + " of "
                                    + offered.get(new Key(type, null)));
                }
            }
        }
        return wrong;
    }
}
