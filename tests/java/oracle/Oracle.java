// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.testapps.OracleDecision.Verdict;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordingFile;

/**
 * Judges what was left of a recording: decides by itself which events must survive, and compares
 * them with those that did, value by value, both as the JDK's reader shows them.
 *
 * <pre>Oracle IN.jfr [(events|fields|ref) (POLICY.jfc|-) OUT.jfr]...</pre>
 *
 * The first is the context style: in `fields` and `ref` the events have further fields, which have
 * to show the contexts that apply.
 *
 * Prints a line for each output, and the differences. Status 0: as it must be; 1: not; 3: the
 * input cannot be read; 4: an output cannot.
 */
public final class Oracle {
    private final Path inPath;
    private final boolean isOfJvm;
    private final OracleEvents in;
    private final List<EventType> types; // that it describes

    /** isOfJvm: a JVM made the recording, and nobody by hand. */
    Oracle(Path inPath, boolean isOfJvm) throws IOException {
        this.inPath = inPath;
        this.isOfJvm = isOfJvm;
        in = OracleEvents.readInput(inPath, isOfJvm);
        try (RecordingFile file = new RecordingFile(inPath)) {
            types = file.readEventTypes();
        }
    }

    static int run(String[] args) throws IOException {
        Oracle oracle;
        try {
            oracle = new Oracle(Path.of(args[0]), true);
        } catch (IOException | RuntimeException | InternalError | StackOverflowError e) {
            System.out.println("cannot read " + args[0] + ": " + e);
            return 3;
        }
        int status = 0;
        for (int i = 1; i < args.length; i += 3) {
            OracleStyle.Name style = OracleStyle.Name.valueOf(args[i].toUpperCase(Locale.ROOT));
            Path policy = args[i + 1].equals("-") ? null : Path.of(args[i + 1]);
            status =
                    Math.max(status, oracle.judge(style, policy, Path.of(args[i + 2]), System.out));
        }
        return status;
    }

    /** Returns 0, 1 or 4, as run does. */
    int judge(OracleStyle.Name styleName, Path policyOrNull, Path outPath, PrintStream report)
            throws IOException {
        OraclePolicy policy = OraclePolicy.read(policyOrNull);
        OracleStyle style = new OracleStyle(styleName, in, policy, new OracleAware(types, policy));
        OracleEvents out;
        boolean isStyleRight;
        try {
            out = OracleEvents.read(outPath, isOfJvm, style::addedCount);
            isStyleRight = style.compare(outPath, out);
        } catch (IOException | RuntimeException | InternalError | StackOverflowError e) {
            report.println("cannot read " + outPath + ": " + e);
            return 4;
        }
        OracleDecision decision = new OracleDecision(in, policy,
                OracleMatches.mismatches(inPath, policy), OracleSample.notChosen(in, out, policy));
        OracleDifference difference = new OracleDifference(in, decision, out);
        int stale = countStale(out);
        Map<String, String> wrong = new OracleAccounts(in, decision, inPath, outPath).findWrong();
        wrong.putAll(OracleSample.findWrong(in, decision));
        boolean isRight = difference.isEmpty() && stale == 0 && isStyleRight && wrong.isEmpty();
        report.println(outPath.getFileName() + ": " + summary(decision) + style.summary()
                + ", found " + out.count + (isRight ? ": as it must be" : ": WRONG"));
        if (stale > 0) {
            report.println(stale + " events show a constant of another chunk, and did not before");
        }
        if (!difference.isEmpty()) {
            difference.print(inPath, outPath, report);
        }
        wrong.forEach((what, how) -> report.println("counted: " + what + ": " + how));
        style.print(report);
        return isRight ? 0 : 1;
    }

    private String summary(OracleDecision decision) {
        Map<String, int[]> counts = new LinkedHashMap<>();
        int[] of = new int[Verdict.values().length];
        for (int i = 0; i < in.count; i++) {
            OraclePolicy.Rule rule = decision.rule(i);
            String kind = (rule.isContextual() ? "contexts " : "events ") + rule.select();
            int[] count = counts.computeIfAbsent(kind, unused -> new int[2]);
            count[0]++;
            count[1] += decision.verdicts[i] == Verdict.KEPT ? 1 : 0;
            of[decision.verdicts[i].ordinal()]++;
        }
        StringBuilder out = new StringBuilder("expected ");
        out.append(of[Verdict.KEPT.ordinal()]).append(" of ").append(in.count);
        out.append(", either way ").append(of[Verdict.EITHER.ordinal()]);
        counts.forEach((kind, count)
                               -> out.append(", ")
                                          .append(kind)
                                          .append(' ')
                                          .append(count[1])
                                          .append(" of ")
                                          .append(count[0]));
        return out.toString();
    }

    // A reader of several chunks may take a constant for one of the chunk before; it must not do so
    // in the output where it does not in the input. Where it takes a renamed thread from there, the
    // input may show the right name, as in some chunk before the thread had it.
    private int countStale(OracleEvents out) {
        long[] staleBefore = hashes(i -> in.isStale[i]);
        long[] threadBefore = hashes(i -> in.hasEarlierThread[i]);
        int stale = 0;
        for (int i = 0; i < out.count; i++) {
            boolean wasSo = Arrays.binarySearch(staleBefore, out.hash[i]) >= 0
                    || (out.isStaleByThread[i]
                            && Arrays.binarySearch(threadBefore, out.hash[i]) >= 0);
            stale += out.isStale[i] && !wasSo ? 1 : 0;
        }
        return stale;
    }

    private long[] hashes(IntPredicate isAsked) {
        return IntStream.range(0, in.count)
                .filter(isAsked)
                .mapToLong(i -> in.hash[i])
                .sorted()
                .toArray();
    }
}
