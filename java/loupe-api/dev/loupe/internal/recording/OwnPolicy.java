// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import dev.loupe.internal.agent.Native;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The settings that are written in this JVM: the policy that the agent was started with, if it has
 * a setting of Loupe's, and the settings of Loupe's alone in other recordings. The collector
 * decides by them if it has no policy for the service.
 *
 * <p>JFR ignores settings that it does not know, and writes events jdk.ActiveSetting only of
 * settings that an event type declares. So the settings are read from the recordings themselves
 * ({@link OtherRecordings}).
 *
 * <p>One thread at a time uses it.
 */
final class OwnPolicy {
    private static final int CHECKED_MAX = 10_000; // settings; mistakes in others are not logged
    private static final String CONTEXTUAL = "contextual";

    private final Map<String, String> file; // all settings of the agent's policy
    private final Policy policy; // the same; null: it has none of Loupe's
    private Map<String, String> recorded = Map.of(); // Loupe's, in other recordings
    private long recordedFrom; // wall time, in nanoseconds
    private Map<String, String> all; // for the collector
    private final Set<String> checked = new HashSet<>();
    private Map<String, String> checkedAll; // by the last check; null: there was none
    private Map<String, Boolean> checkedTypes;

    // No lambdas here: they would take the start of each JVM some milliseconds, and memory to link
    // them later.
    /** Has the settings of the agent's policy, in the order of its file. */
    OwnPolicy(Map<String, String> file) {
        this.file = file;
        boolean isOfLoupe = false;
        for (String key : file.keySet()) {
            isOfLoupe |= Policy.isOfLoupe(key);
        }
        policy = isOfLoupe ? Policy.of(file) : null;
        all = isOfLoupe ? file : Map.of();
    }

    /** Returns the policy that the recording follows; null: it has the settings of the file. */
    Policy policy() {
        return policy;
    }

    Map<String, String> file() {
        return file;
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** Returns the settings for the start, which hold in all chunks until there are others. */
    byte[] begin(Map<String, String> others) {
        take(others, merge(others), Long.MIN_VALUE);
        return text(all);
    }

    /**
     * Passes the settings on that hold from a time on, if they are others than those before, or
     * have held for longer. The agent's policy goes before other recordings.
     *
     * @param others settings of Loupe's in these, the ones that count last
     * @return whether they were passed on
     */
    boolean state(Map<String, String> others, long fromNanos) {
        if (fromNanos >= recordedFrom && isSame(others, recorded)) {
            return false;
        }
        Map<String, String> next = merge(others);
        if (!Native.setOwnPolicy(fromNanos, text(next))) {
            return false; // there is no memory: a later look tries again
        }
        take(others, next, fromNanos);
        return true;
    }

    private void take(Map<String, String> others, Map<String, String> next, long fromNanos) {
        recorded = others;
        recordedFrom = fromNanos;
        all = next;
    }

    // In the same order, too.
    private static boolean isSame(Map<String, String> one, Map<String, String> other) {
        return new ArrayList<>(one.entrySet()).equals(new ArrayList<>(other.entrySet()));
    }

    private Map<String, String> merge(Map<String, String> others) {
        Map<String, String> merged = new LinkedHashMap<>(others);
        if (policy != null) {
            merged.keySet().removeAll(file.keySet()); // these come last
            merged.putAll(file);
        }
        return merged;
    }

    /**
     * Logs invalid values, and those that are not for that kind of type, once for each.
     *
     * @param types the names of all event types that there are, and which of them are contextual
     */
    void check(Map<String, Boolean> types) {
        if (all == checkedAll && types.equals(checkedTypes)) {
            return;
        }
        checkedAll = all;
        checkedTypes = types;
        Map<String, String> ofLoupe = new LinkedHashMap<>();
        for (Map.Entry<String, String> one : all.entrySet()) {
            String key = one.getKey();
            if (Policy.isOfLoupe(key)) {
                ofLoupe.put(key, one.getValue());
                check(Policy.eventOf(key), one, Native.KIND_UNKNOWN);
            }
        }
        for (Map.Entry<String, Boolean> type : types.entrySet()) {
            checkType(type.getKey(), type.getValue(), ofLoupe);
        }
    }

    // Logs values that are not for that kind of type. A pattern * means only types for which it is.
    private void checkType(String type, boolean isAnnotated, Map<String, String> ofLoupe) {
        Map<String, Map.Entry<String, String>> sources = sources(type, ofLoupe);
        Map.Entry<String, String> said = sources.get(CONTEXTUAL);
        boolean isContextual = said == null ? isAnnotated : isTrue(said.getValue(), isAnnotated);
        for (Map.Entry<String, String> source : sources.values()) {
            if (!Policy.eventOf(source.getKey()).equals("*")) {
                check(type, source, isContextual ? Native.KIND_CONTEXTUAL : Native.KIND_PLAIN);
            }
        }
    }

    // As the collector has it: an invalid value says nothing.
    private static boolean isTrue(String said, boolean isAnnotated) {
        return said.equals("true") || (isAnnotated && !said.equals("false"));
    }

    // The settings of a type, by their names: a line with its own name goes before all with
    // patterns, and a later one before an earlier one.
    private static Map<String, Map.Entry<String, String>> sources(
            String type, Map<String, String> ofLoupe) {
        Map<String, Map.Entry<String, String>> sources = new LinkedHashMap<>();
        for (Map.Entry<String, String> one : ofLoupe.entrySet()) {
            String event = Policy.eventOf(one.getKey());
            String setting = Policy.settingOf(one.getKey());
            Map.Entry<String, String> before = sources.get(setting);
            boolean isNamed = before != null && Policy.eventOf(before.getKey()).equals(type);
            if (event.equals(type)
                    || (!isNamed && TypePattern.isPattern(event)
                            && TypePattern.fits(type, event))) {
                sources.put(setting, one);
            }
        }
        return sources;
    }

    // Once for a setting, also where several types have it by a pattern.
    private void check(String type, Map.Entry<String, String> one, int kind) {
        if (isFirst(one.toString() + kind)) {
            Native.checkSetting(type, Policy.settingOf(one.getKey()), one.getValue(), kind);
        }
    }

    private boolean isFirst(String what) {
        return checked.size() < CHECKED_MAX && checked.add(what);
    }

    // As the text of a .jfc file; nothing at all if there are none.
    private static byte[] text(Map<String, String> settings) {
        if (settings.isEmpty()) {
            return new byte[0];
        }
        StringBuilder text = new StringBuilder("<configuration version=\"2.0\">\n");
        for (Map.Entry<String, String> one : settings.entrySet()) {
            text.append("<event name=\"").append(escape(Policy.eventOf(one.getKey())));
            text.append("\"><setting name=\"").append(escape(Policy.settingOf(one.getKey())));
            text.append("\">").append(escape(one.getValue())).append("</setting></event>\n");
        }
        return Native.utf8(text.append("</configuration>\n").toString());
    }

    // XML takes few control characters, and no name or value needs one: each becomes a space.
    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&':
                    escaped.append("&amp;");
                    break;
                case '<':
                    escaped.append("&lt;");
                    break;
                case '>':
                    escaped.append("&gt;");
                    break;
                case '"':
                    escaped.append("&quot;");
                    break;
                default:
                    escaped.append(c < ' ' || c > 0xfffd ? ' ' : c);
            }
        }
        return escaped.toString();
    }
}
