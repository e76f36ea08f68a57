// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.testapps.OraclePolicy.Rate;
import dev.loupe.testapps.OraclePolicy.Rule;
import dev.loupe.testapps.OraclePolicy.Select;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The samples that context-throttle takes. How it chooses is not repeated: of a type all of whose
 * contexts are kept that matter, the output shows which it has chosen, and these may not be too
 * many.
 */
final class OracleSample {
    private OracleSample() {}

    /** Of a type and a unit of the wall clock. */
    private record Unit(String type, long number) {}

    private static final class Count {
        long kept;
        long most; // that may be
    }

    /** The contexts that are not in the output and would be if they had been chosen. */
    static BitSet notChosen(OracleEvents in, OracleEvents out, OraclePolicy policy) {
        BitSet found = new BitSet();
        Map<Long, Integer> left = new HashMap<>();
        for (int i = 0; i < out.count; i++) {
            left.merge(out.hash[i], 1, Integer::sum);
        }
        for (int i = 0; i < in.count; i++) {
            OracleEvents.Type type = in.typeOf(i);
            Rule rule = policy.rule(type.name(), type.isAnnotated(), type.hasDuration());
            if (rule.contextThrottle() != null) {
                if (rule.select() != Select.ALL || !rule.isEnabled()) {
                    throw new IllegalArgumentException("nobody sees what is chosen of " + type);
                }
                found.set(i, left.merge(in.hash[i], -1, Integer::sum) < 0);
            }
        }
        return found;
    }

    /** The wrong numbers of chosen events, by type; empty if all are right. */
    static Map<String, String> findWrong(OracleEvents in, OracleDecision decision) {
        Map<Unit, Count> units = new HashMap<>();
        long[] limits = limits(in);
        for (int i = 0; i < in.count; i++) {
            Rate rate = decision.rule(i).contextThrottle();
            if (rate != null && decision.matters(i)) {
                Unit unit = new Unit(in.typeOf(i).name() + " of the JVM of chunk " + first(in, i),
                        Math.floorDiv(wallNs(in, i), rate.perNs()));
                Count count = units.computeIfAbsent(unit, unused -> new Count());
                count.kept++;
                count.most += count.kept == 1 ? rate.count() : 0;
                count.most += mayBeOnTop(in, limits, i) ? 1 : 0;
            }
        }
        Map<String, String> wrong = new TreeMap<>();
        units.forEach((unit, count) -> {
            if (count.kept > count.most) {
                wrong.put(unit.type, count.kept + " contexts in unit " + unit.number);
            }
        });
        return wrong;
    }

    private static int first(OracleEvents in, int event) {
        return in.chunks.get(in.chunk[event]).first();
    }

    // By the clock of the JVM's first chunk, to the nanosecond.
    private static long wallNs(OracleEvents in, int event) {
        OracleFile.Clock clock = in.chunks.get(first(in, event)).clock();
        long ticks = in.commit[event] - clock.startTicks();
        long perSecond = clock.ticksPerSecond();
        return clock.startNanos() + Math.floorDiv(ticks, perSecond) * 1_000_000_000
                + Math.floorMod(ticks, perSecond) * 1_000_000_000 / perSecond;
    }

    // Up to when events are decided with each chunk: its last one, or where the next one begins.
    private static long[] limits(OracleEvents in) {
        long[] limits = new long[in.chunks.size()];
        for (int i = 0; i + 1 < limits.length; i++) {
            limits[i] = in.chunks.get(i + 1).clock().startTicks();
        }
        for (int i = 0; i < in.count; i++) {
            limits[in.chunk[i]] = Math.max(limits[in.chunk[i]], in.commit[i]);
        }
        return limits;
    }

    // One that was open where a chunk ended comes on top, and so may one that was stored late.
    private static boolean mayBeOnTop(OracleEvents in, long[] limits, int event) {
        int chunk = in.chunk[event];
        return chunk > first(in, event) && in.begin[event] <= limits[chunk - 1];
    }
}
