// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import dev.loupe.internal.agent.Native;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
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
    private static final String CONTEXTUAL = "#contextual";

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
        policy = isOfLoupe ? new Policy(file) : null;
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

    private static void addOfLoupe(Map<String, String> settings, Map<String, String> out) {
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            String key = setting.getKey();
            if (Policy.isOfLoupe(key)) {
                out.put(nameOf(Policy.eventOf(key)) + '#' + Policy.settingOf(key),
                        setting.getValue());
            }
        }
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
        for (Map.Entry<String, String> one : all.entrySet()) {
            String event = Policy.eventOf(one.getKey());
            String setting = Policy.settingOf(one.getKey());
            if (isFirst(one.toString())) {
                Native.checkSetting(event, setting, one.getValue(), Native.KIND_UNKNOWN);
            }
            Boolean isAnnotated = types.get(event);
            if (isAnnotated != null && isFirst(event + '=' + one)) {
                String said = all.getOrDefault(event + CONTEXTUAL, String.valueOf(isAnnotated));
                Native.checkSetting(event, setting, one.getValue(),
                        said.equals("true") ? Native.KIND_CONTEXTUAL : Native.KIND_PLAIN);
            }
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
