// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import dev.loupe.internal.agent.Native;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/**
 * The settings that are written in this JVM: the policy that the agent was started with, if it has
 * a setting of Loupe's, and the settings of Loupe's alone in other recordings. The collector
 * decides by them if it has no policy for the service.
 *
 * <p>JFR ignores settings that it does not know, and writes events jdk.ActiveSetting only of
 * settings that an event type declares. So this class reads the settings of the recordings
 * themselves.
 *
 * <p>One thread at a time uses it.
 */
final class OwnPolicy {
    private static final int TEXT_BYTES_MAX = 256 << 10; // SHIP_OWN_POLICY_BYTES_MAX
    private static final int CHECKED_MAX = 10_000; // settings; of others mistakes are not told
    private static final String CONTEXTUAL = "contextual";

    private final Map<String, String> file; // all settings of the agent's policy
    private final Policy policy; // the same; null: it has none of Loupe's
    private Map<String, String> recorded = Map.of(); // Loupe's, in other recordings
    private Map<String, String> all; // for the collector
    private final Set<String> checked = new HashSet<>();
    private Map<String, String> checkedAll; // by the last check; null: there was none
    private Map<String, Boolean> checkedTypes;
    private boolean isTooLong;

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

    /**
     * Looks which recordings run now, beside the agent's. Of two the one that was made later
     * counts, and the agent's policy before both.
     *
     * @return whether there are other settings than at the last call
     */
    boolean look(Recording agents) {
        Map<String, String> now = new LinkedHashMap<>();
        for (Recording recording : FlightRecorder.getFlightRecorder().getRecordings()) {
            if (recording.getId() != agents.getId()
                    && recording.getState() == RecordingState.RUNNING) {
                addOfLoupe(recording.getSettings(), now);
            }
        }
        if (now.equals(recorded)) {
            return false;
        }
        recorded = now;
        all = new LinkedHashMap<>(now);
        if (policy != null) {
            all.keySet().removeAll(file.keySet()); // these come last
            all.putAll(file);
        }
        return true;
    }

    // JFR keeps no order of a recording's settings: those with patterns come first, and of these
    // the ones with fewer characters beside *. Of two for one type, by its name and by its number,
    // the latter counts.
    private static void addOfLoupe(Map<String, String> settings, Map<String, String> out) {
        Map<String, String> ordered = new TreeMap<>();
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            String key = setting.getKey();
            if (Policy.isOfLoupe(key)) {
                String event = nameOf(Policy.eventOf(key));
                String place = rank(event) + event + '#' + Policy.settingOf(key);
                if (event.equals(Policy.eventOf(key))) {
                    ordered.putIfAbsent(place, setting.getValue());
                } else {
                    ordered.put(place, setting.getValue()); // by its number
                }
            }
        }
        for (Map.Entry<String, String> setting : ordered.entrySet()) {
            String key = setting.getKey().substring(1);
            out.remove(key); // a later recording's goes behind all of those before it
            out.put(key, setting.getValue());
        }
    }

    // The place of an event's settings among those of a recording.
    private static char rank(String event) {
        int characters = event.replace("*", "").length();
        return TypePattern.isPattern(event) ? (char) Math.min(characters, Character.MAX_VALUE - 1)
                                            : Character.MAX_VALUE;
    }

    // Recording.enable(Class) says the number that the type has in this JVM.
    private static String nameOf(String event) {
        if (DeniedTypes.isNumber(event)) {
            for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
                if (event.equals(String.valueOf(type.getId()))) {
                    return type.getName();
                }
            }
        }
        return event;
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

    /** Returns the settings as the text of a .jfc file; nothing at all if there are none. */
    byte[] text() {
        StringBuilder text = new StringBuilder("<configuration version=\"2.0\">\n");
        for (Map.Entry<String, String> one : all.entrySet()) {
            text.append("<event name=\"").append(escape(Policy.eventOf(one.getKey())));
            text.append("\"><setting name=\"").append(escape(Policy.settingOf(one.getKey())));
            text.append("\">").append(escape(one.getValue())).append("</setting></event>\n");
        }
        byte[] utf8 = Native.utf8(text.append("</configuration>\n").toString());
        boolean isShort = utf8.length <= TEXT_BYTES_MAX;
        if (!isShort && !isTooLong) {
            isTooLong = true;
            Native.log(Native.LOG_WARN,
                    "the settings of this JVM's own take more than " + TEXT_BYTES_MAX
                            + " bytes: the collector is not told");
        }
        return isEmpty() || !isShort ? new byte[0] : utf8;
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
