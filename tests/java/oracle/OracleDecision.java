// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.testapps.OraclePolicy.Rule;
import dev.loupe.testapps.OraclePolicy.Select;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * Which events of a session must survive, by the rules and nothing else.
 *
 * Thread by thread, all chunks of the session together, the events are asked one by one in the
 * order of the decisions. The question "does a context apply" looks at the contexts of the thread,
 * the question "was it triggered" at the events that were decided before.
 *
 * All of that counts as if there were no chunks, but for what is promised no better:
 * - a context is decided when the chunk after the one of its end has been read, or its own if it
 * was stored even later. If only an event triggered it that was stored after that, it may go either
 *   way;
 * - so may an event that was stored in a chunk that began more than a second after its commit time,
 *   if that depends on others;
 * - and one that is on a thread that no reader can tell, and what only that one covers or triggers.
 */
final class OracleDecision {
    enum Verdict { DROPPED, EITHER, KEPT }

    private static final int NOBODY = -1;

    final Verdict[] verdicts;
    /** The context that covered it or the event that triggered it, or NOBODY. */
    private final int[] reasons;

    private final OracleEvents events;
    private final BitSet mismatches;
    private final BitSet notChosen;
    private final List<Rule> rules = new ArrayList<>(); // by index of the type

    /**
     * mismatches: which events do not have the attribute that context-match asks for; notChosen:
     * which are not in the sample that context-throttle takes.
     */
    OracleDecision(OracleEvents events, OraclePolicy policy, BitSet mismatches, BitSet notChosen) {
        this.events = events;
        this.mismatches = mismatches;
        this.notChosen = notChosen;
        for (OracleEvents.Type type : events.types) {
            rules.add(policy.rule(type.name(), type.isAnnotated(), type.hasDuration()));
        }
        verdicts = new Verdict[events.count];
        reasons = new int[events.count];
        Arrays.fill(reasons, NOBODY);
        List<List<Integer>> threads = new ArrayList<>();
        List<Integer> unknown = new ArrayList<>(); // on which of the threads nobody knows
        for (int i = 0; i < events.threadCount; i++) {
            threads.add(new ArrayList<>());
        }
        for (int i = 0; i < events.count; i++) {
            if (events.thread[i] == OracleEvents.NO_THREAD) {
                verdicts[i] = verdict(i);
                if (events.isThreadUnknown[i]) {
                    unknown.add(i);
                }
            } else {
                threads.get(events.thread[i]).add(i);
            }
        }
        threads.forEach(thread -> decide(thread, unknown));
    }

    private boolean isOfSameJvm(int event, int other) {
        return events.chunks.get(events.chunk[event]).first()
                == events.chunks.get(events.chunk[other]).first();
    }

    Rule rule(int event) {
        return rules.get(events.type[event]);
    }

    // The last one of the same JVM that began before.
    private int chunkOfCommit(int event) {
        int first = events.chunks.get(events.chunk[event]).first();
        int chunk = events.chunk[event];
        while (chunk + 1 < events.chunks.size() && events.chunks.get(chunk + 1).first() == first) {
            chunk++;
        }
        while (chunk > first
                && events.commit[event] < events.chunks.get(chunk).clock().startTicks()) {
            chunk--;
        }
        return chunk;
    }

    // A context that is too short, has another attribute, or is not in the sample, is dropped and
    // covers nothing.
    boolean matters(int event) {
        return isMatch(event) && !notChosen.get(event)
                && rule(event).isLongEnough(events.commit[event] - events.begin[event],
                        events.typeOf(event).ticksPerSecond());
    }

    boolean isMatch(int event) {
        return !mismatches.get(event);
    }

    private boolean isLate(int event) {
        OracleFile.Clock clock = events.chunks.get(events.chunk[event]).clock();
        return events.commit[event] < clock.startTicks() - clock.ticksPerSecond();
    }

    private void decide(List<Integer> thread, List<Integer> unknown) {
        unknown.stream().filter(i -> isOfSameJvm(i, thread.get(0))).forEach(thread::add);
        thread.sort(Comparator.<Integer>comparingLong(i -> events.commit[i])
                            .thenComparing(i -> rule(i).isContextual()) // plain events first
                            .thenComparing(Comparator.<Integer>comparingLong(this::contextBegin)
                                                   .reversed()) // the inner one first
                            .thenComparingInt(i -> i)); // as in the file
        int[] order = thread.stream().mapToInt(Integer::intValue).toArray();
        cover(order);
        for (int at = 0; at < order.length; at++) {
            int event = order[at];
            if (events.isThreadUnknown[event]) {
                continue;
            }
            if (rule(event).select() == Select.IF_TRIGGERED) {
                reasons[event] = trigger(order, at);
            }
            verdicts[event] = verdict(event);
        }
    }

    private long contextBegin(int event) {
        return rule(event).isContextual() ? events.begin[event] : 0;
    }

    private Verdict verdict(int event) {
        Rule rule = rule(event);
        if (!rule.passes(events.commit[event] - events.begin[event],
                    events.typeOf(event).ticksPerSecond())) {
            return Verdict.DROPPED;
        }
        if (!matters(event)) {
            return Verdict.DROPPED;
        }
        if (rule.select() == Select.ALL) {
            return Verdict.KEPT;
        }
        if (events.thread[event] == OracleEvents.NO_THREAD) {
            return events.isThreadUnknown[event] ? Verdict.EITHER : Verdict.DROPPED;
        }
        if (isLate(event)) {
            return Verdict.EITHER;
        }
        int reason = reasons[event];
        if (reason == NOBODY) {
            return Verdict.DROPPED;
        }
        boolean isKept = rule.select() == Select.IF_CONTEXT ? !events.isThreadUnknown[reason]
                                                            : isSure(reason, event);
        return isKept ? Verdict.KEPT : Verdict.EITHER;
    }

    // Whether the event is kept, and that is known when the context is decided.
    private boolean isSure(int event, int context) {
        return verdicts[event] == Verdict.KEPT && !events.isThreadUnknown[event]
                && events.chunk[event]
                <= Math.max(chunkOfCommit(context) + 1, events.chunk[context]);
    }

    // Looks for a context around each if-context event.
    private void cover(int[] order) {
        cover(order, true);
        cover(order, false); // has the last word
    }

    // From the end, as a context that ends here or later is around what was committed here if it
    // began in time. Those before it in the order ended before it: at one time plain events come
    // first.
    private void cover(int[] order, boolean isByUnknown) {
        int widest = NOBODY; // of the contexts so far the one that began first
        for (int at = order.length - 1; at >= 0; at--) {
            int event = order[at];
            if (rule(event).isContextual()) {
                if (matters(event) && events.isThreadUnknown[event] == isByUnknown
                        && (widest == NOBODY || events.begin[event] < events.begin[widest])) {
                    widest = event;
                }
            } else if (rule(event).select() == Select.IF_CONTEXT && widest != NOBODY
                    && events.begin[widest] <= events.commit[event]) {
                reasons[event] = widest;
            }
        }
    }

    // A kept event in the context, of those that were decided before it. One that is surely kept
    // if there is one.
    private int trigger(int[] order, int at) {
        long begin = events.begin[order[at]];
        int found = NOBODY;
        for (int i = at - 1; i >= 0 && events.commit[order[i]] >= begin; i--) {
            if (isSure(order[i], order[at])) {
                return order[i];
            }
            if (verdicts[order[i]] != Verdict.DROPPED) {
                found = order[i];
            }
        }
        return found;
    }

    /** Why the event is kept or not, for a person. */
    String why(int event) {
        Rule rule = rule(event);
        StringBuilder out = new StringBuilder().append(verdicts[event]).append(": ");
        out.append(rule.isContextual() ? "a context, " : "").append(rule.select());
        if (!rule.isEnabled()) {
            out.append(", disabled");
        }
        if (rule.thresholdNs() != null) {
            out.append(", threshold ").append(rule.thresholdNs()).append(" ns");
        }
        if (!matters(event)) {
            out.append(", does not matter: ").append(rule.contextThresholdNs());
            out.append(" ns, ").append(rule.match());
        }
        if (reasons[event] != NOBODY) {
            out.append(rule.isContextual() ? ", triggered by " : ", covered by ");
            out.append(describe(reasons[event]));
        }
        return out.toString();
    }

    /** Where and when the event was. */
    String describe(int event) {
        return events.typeOf(event).name() + " [" + events.begin[event] + ", "
                + events.commit[event] + "] (number " + event + ", chunk " + events.chunk[event]
                + (isLate(event) ? ", late)" : ")");
    }
}
