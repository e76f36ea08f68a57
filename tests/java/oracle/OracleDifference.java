// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.testapps.OracleDecision.Verdict;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Events that an output has and should not have, or the other way round. Equal ones are counted.
 */
final class OracleDifference {
    private static final int SHOWN_MAX = 20;
    private static final int TEXT_MAX = 300;

    private final OracleEvents in;
    private final OracleEvents out;
    private final OracleDecision decision;
    /** By hash of the event: how many are missing, or (below 0) too many. */
    private final Map<Long, Integer> balance = new HashMap<>();

    OracleDifference(OracleEvents in, OracleDecision decision, OracleEvents out) {
        this.in = in;
        this.out = out;
        this.decision = decision;
        compare(hashes(Verdict.KEPT), hashes(Verdict.EITHER), sorted(out.hash, out.count));
    }

    boolean isEmpty() {
        return balance.isEmpty();
    }

    private long[] hashes(Verdict verdict) {
        long[] hashes = new long[in.count];
        int count = 0;
        for (int i = 0; i < in.count; i++) {
            if (decision.verdicts[i] == verdict) {
                hashes[count++] = in.hash[i];
            }
        }
        return sorted(hashes, count);
    }

    private static long[] sorted(long[] hashes, int count) {
        long[] sorted = Arrays.copyOf(hashes, count);
        Arrays.sort(sorted);
        return sorted;
    }

    // Goes through the three side by side, one hash at a time.
    private void compare(long[] kept, long[] either, long[] found) {
        int k = 0;
        int e = 0;
        int f = 0;
        while (k < kept.length || f < found.length) {
            boolean isKeptNext = f == found.length || k < kept.length && kept[k] < found[f];
            long hash = isKeptNext ? kept[k] : found[f];
            while (e < either.length && either[e] < hash) {
                e++;
            }
            int least = countEqual(kept, k, hash);
            int most = least + countEqual(either, e, hash);
            int actual = countEqual(found, f, hash);
            k += least;
            e += most - least;
            f += actual;
            if (actual < least) {
                balance.put(hash, least - actual);
            } else if (actual > most) {
                balance.put(hash, most - actual);
            }
        }
    }

    private static int countEqual(long[] sorted, int from, long hash) {
        int to = from;
        while (to < sorted.length && sorted[to] == hash) {
            to++;
        }
        return to - from;
    }

    /** Prints the first of them: lost ones with what there is instead, then surplus ones. */
    void print(Path inPath, Path outPath, PrintStream report) throws IOException {
        int missing = balance.values().stream().mapToInt(n -> Math.max(n, 0)).sum();
        int surplus = balance.values().stream().mapToInt(n -> Math.max(-n, 0)).sum();
        report.println(missing + " missing, " + surplus + " too many or changed");
        Set<Integer> lost = new LinkedHashSet<>();
        Map<String, Integer> lostByKey = new HashMap<>();
        Map<String, Integer> droppedByKey = new HashMap<>();
        for (int i = 0; i < in.count; i++) {
            int n = balance.getOrDefault(in.hash[i], 0);
            if (n > 0 && decision.verdicts[i] == Verdict.KEPT) {
                lostByKey.put(key(in, i), i);
                if (lost.size() < SHOWN_MAX) {
                    lost.add(i);
                }
            } else if (n < 0) {
                droppedByKey.put(key(in, i), i);
            }
        }
        Map<Integer, Integer> instead = new HashMap<>(); // of a lost event
        Set<Integer> added = new LinkedHashSet<>();
        for (int i = 0; i < out.count; i++) {
            if (balance.getOrDefault(out.hash[i], 0) < 0) {
                Integer of = lostByKey.get(key(out, i));
                if (of != null) {
                    instead.putIfAbsent(of, i);
                } else if (added.size() < SHOWN_MAX) {
                    added.add(i);
                }
            }
        }
        instead.keySet().retainAll(lost);
        printLost(report, lost, texts(inPath, in, lost), instead,
                texts(outPath, out, new HashSet<>(instead.values())));
        printAdded(report, added, texts(outPath, out, added), droppedByKey);
    }

    private static String key(OracleEvents events, int event) {
        return events.typeOf(event).name() + " [" + events.begin[event] + ", "
                + events.commit[event] + "]";
    }

    private static Map<Integer, Map<String, String>> texts(
            Path path, OracleEvents events, Set<Integer> numbers) throws IOException {
        Map<Integer, Map<String, String>> texts = new HashMap<>();
        if (numbers.isEmpty()) {
            return texts;
        }
        Canonical canonical = events.canonical(Canonical.WHOLE);
        int[] next = {0};
        OracleFile.read(path, (chunk, shown, own) -> {
            int event = next[0]++;
            if (numbers.contains(event)) {
                Map<String, String> fields = canonical.fields(own);
                fields.put("times", events.times(canonical, shown, chunk));
                texts.put(event, fields);
            }
        });
        return texts;
    }

    private void printLost(PrintStream report, Set<Integer> lost,
            Map<Integer, Map<String, String>> lostTexts, Map<Integer, Integer> instead,
            Map<Integer, Map<String, String>> insteadTexts) {
        for (int event : lost) {
            report.println("- " + decision.describe(event));
            report.println("  " + decision.why(event));
            if (instead.containsKey(event)) {
                printBoth(report, lostTexts.get(event), insteadTexts.get(instead.get(event)));
            } else {
                printOne(report, lostTexts.get(event));
            }
        }
    }

    private void printAdded(PrintStream report, Set<Integer> added,
            Map<Integer, Map<String, String>> texts, Map<String, Integer> droppedByKey) {
        for (int event : added) {
            Integer dropped = droppedByKey.get(key(out, event));
            report.println("+ " + (dropped == null ? key(out, event) : decision.describe(dropped)));
            report.println("  " + (dropped == null ? "not in the input" : decision.why(dropped)));
            printOne(report, texts.get(event));
        }
    }

    private static void printOne(PrintStream report, Map<String, String> fields) {
        fields.forEach((name, value) -> {
            if (!name.equals("type")) { // which is long, and the same for all
                report.println("    " + name + " = " + cut(value, 0));
            }
        });
    }

    private static void printBoth(
            PrintStream report, Map<String, String> expected, Map<String, String> found) {
        Map<String, String> names = new LinkedHashMap<>(expected);
        names.putAll(found);
        for (String name : names.keySet()) {
            String should = String.valueOf(expected.get(name));
            String is = String.valueOf(found.get(name));
            if (!should.equals(is)) {
                int at = Arrays.mismatch(should.toCharArray(), is.toCharArray());
                report.println("    expected " + name + " = " + cut(should, at));
                report.println("    found    " + name + " = " + cut(is, at));
            }
        }
    }

    // A long text around a place.
    private static String cut(String text, int at) {
        int begin = Math.max(0, at - TEXT_MAX / 2);
        int end = Math.min(text.length(), begin + TEXT_MAX);
        return (begin > 0 ? "..." : "") + text.substring(begin, end)
                + (end < text.length() ? "..." : "");
    }
}
