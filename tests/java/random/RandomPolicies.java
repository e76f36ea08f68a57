// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Makes policies at random for a recording: any setting for any of its types, with values that make
 * sense and some that do not.
 *
 * <pre>RandomPolicies IN.jfr SEED OUT.jfc...</pre>
 *
 * Exit status 3: the recording cannot be read.
 */
public final class RandomPolicies {
    private static final String[] SELECTS = {"all", "if-context", "if-triggered", "if-context",
            "if-triggered", "If-Context", "some", ""};
    private static final String[] THRESHOLDS = {"0 ns", "1 us", "50 us", "1 ms", "1 s", "1 h",
            "infinity", "soon", "", "-1 ns", "5 parsecs"};

    private static final String[] MATCHES = {"user=*", "id=1*", "name=*", "text=a", "number=-1*",
            "gone=*", "off", "user", "=a", "user=a b", ""};

    private static final String[] RATES = {"0/s", "1/s", "5/s", "30/s", "200/s", "2/ms", "3/m",
            "1/d", "off", "5", "-1/s", "1/parsec", ""};

    // Enabling these makes events that are not in the recording.
    private static final String SAMPLES = "jdk.ObjectAllocationSample";

    private final Random random;
    private final Map<String, Integer> counts = new TreeMap<>();
    private final Map<String, Long> durations = new HashMap<>(); // of some event, in nanoseconds
    private final Map<String, Map<String, String>> texts = new HashMap<>(); // of that event

    RandomPolicies(Path path, long seed) throws IOException {
        random = new Random(seed);
        try (RecordingFile file = new RecordingFile(path)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                String name = event.getEventType().getName();
                if (random.nextInt(counts.merge(name, 1, Integer::sum)) == 0) {
                    durations.put(name, event.getDuration().toNanos());
                    texts.put(name, plainTexts(event));
                }
            }
        }
    }

    static int run(String[] args) throws IOException {
        RandomPolicies policies;
        try {
            policies = new RandomPolicies(Path.of(args[0]), Long.parseLong(args[1]));
        } catch (IOException | RuntimeException | InternalError | StackOverflowError e) {
            System.out.println("cannot read " + args[0] + ": " + e);
            return 3;
        }
        for (int i = 2; i < args.length; i++) {
            Files.writeString(Path.of(args[i]), policies.make());
        }
        return 0;
    }

    String make() {
        StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.append("<configuration version=\"2.0\">\n");
        int mentioned = 20 + random.nextInt(80); // in percent, as all of these
        int disabled = random.nextInt(3) * 40;
        int contextual = random.nextInt(3) * 10;
        int selected = random.nextInt(100);
        int mattering = random.nextInt(3) * 30;
        int sampled = random.nextInt(3) * 30;
        for (String type : counts.keySet()) {
            if (!isIn100(mentioned)) {
                continue;
            }
            boolean isOften = counts.get(type) > 100;
            out.append("  <event name=\"").append(type).append("\">\n");
            setting(out, "period", "10 ms");
            boolean isSampled = isIn100(sampled); // then the output shows which are chosen
            if (isSampled) {
                setting(out, "select", "all");
                setting(out, "context-throttle", RATES[random.nextInt(RATES.length)]);
            }
            if (!isSampled && isIn100(disabled)) {
                boolean isDisabled = isIn100(isOften ? 50 : 90) || type.equals(SAMPLES);
                setting(out, "enabled", isDisabled ? "false" : "true");
            }
            if (!isSampled && isIn100(40)) {
                setting(out, "threshold", threshold(type));
            }
            if (!isSampled && isIn100(selected)) {
                setting(out, "select", SELECTS[random.nextInt(SELECTS.length)]);
            }
            if (isIn100(type.equals("rnd.Order") ? 60 : contextual)) {
                setting(out, "contextual", isIn100(80) ? "true" : "false");
            }
            if (isIn100(mattering)) {
                setting(out, "context-threshold", threshold(type));
            }
            if (isIn100(mattering)) {
                setting(out, "context-match", match(type));
            }
            out.append("  </event>\n");
        }
        return out.append("</configuration>\n").toString();
    }

    private boolean isIn100(int percent) {
        return random.nextInt(100) < percent;
    }

    // Half of them around the duration of an event, where a mistake by one shows.
    private String threshold(String type) {
        if (random.nextBoolean()) {
            return THRESHOLDS[random.nextInt(THRESHOLDS.length)];
        }
        return Math.max(0, durations.get(type) + random.nextInt(3) - 1) + " ns";
    }

    // Of the fields whose text, in a policy, is what it looks like.
    private static Map<String, String> plainTexts(RecordedEvent event) {
        Map<String, String> found = new TreeMap<>();
        for (ValueDescriptor field : event.getFields()) {
            String text = OracleMatches.text(event, field.getName());
            if (text != null && text.matches("[a-z0-9-]{1,100}")) {
                found.put(field.getName(), text);
            }
        }
        return found;
    }

    // Half of them what some event has, or begins with.
    private String match(String type) {
        List<Map.Entry<String, String>> known = new ArrayList<>(texts.get(type).entrySet());
        if (known.isEmpty() || random.nextBoolean()) {
            return MATCHES[random.nextInt(MATCHES.length)];
        }
        Map.Entry<String, String> one = known.get(random.nextInt(known.size()));
        String value = one.getValue();
        if (random.nextBoolean()) {
            return one.getKey() + '=' + value;
        }
        String prefix = value.substring(0, 1 + random.nextInt(Math.min(3, value.length())));
        return one.getKey() + '=' + (random.nextBoolean() ? prefix : '"' + prefix + '"') + '*';
    }

    private static void setting(StringBuilder out, String name, String value) {
        out.append("    <setting name=\"").append(name).append("\">");
        out.append(value).append("</setting>\n");
    }
}
