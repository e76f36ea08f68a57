// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import dev.loupe.internal.agent.Native;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Settings for event types, by name or by a pattern of names: the collector's for this JVM, or a
 * policy with settings of Loupe's that the agent was started with.
 *
 * <p>Settings by name go before those by pattern, and later ones before earlier ones.
 */
final class Policy {
    /** The settings of Loupe's alone. */
    static final Set<String> OF_LOUPE =
            Set.of("select", "contextual", "filter", "context-threshold", "context-match",
                    "context-throttle", "context-index", "withContext");
    /** The same of the event type for requests, which has them beside those. */
    static final Set<String> OF_REQUESTS = Set.of("request-keep", "keep-slow", "keep-slowest",
            "keep-rare", "keep", "drop", "budget", "request-by", "request");
    private static final String REQUEST = "dev.loupe.Request";
    private static final String JVM_POLICY = "dev.loupe.JvmPolicy";
    private static final String WAIT_BUDGET = "wait-budget"; // Loupe's as well, of that type
    private static final int TEXTS = 3; // event type or pattern, setting and value
    private static final String THROTTLE = "throttle";
    private static final String SELECT = "select";
    private static final String IF_CONTEXT = "if-context";
    private static final String CONTEXTUAL = "contextual";
    private static final int SETTINGS_MAX = 65536; // that patterns come to, for all types

    private final String id;
    private final String[] texts;
    private boolean needsTypes;

    /** Reads the result of {@code Native.takePolicy}. */
    Policy(byte[][] utf8) {
        this(new String(utf8[0], StandardCharsets.UTF_8), utf8, 1, Map.of());
    }

    // Reads settings behind others in utf8, and Loupe's, of which JFR knows nothing.
    private Policy(String id, byte[][] utf8, int begin, Map<String, String> ofLoupe) {
        this.id = id;
        texts = new String[utf8.length - begin + ofLoupe.size() * TEXTS];
        int at = 0;
        for (int i = begin; i < utf8.length; i++) {
            texts[at++] = new String(utf8[i], StandardCharsets.UTF_8);
        }
        for (Map.Entry<String, String> setting : ofLoupe.entrySet()) {
            texts[at++] = eventOf(setting.getKey());
            texts[at++] = settingOf(setting.getKey());
            texts[at++] = setting.getValue();
        }
        for (int i = 0; i < texts.length; i += TEXTS) {
            needsTypes |= TypePattern.isPattern(texts[i]) || texts[i + 1].equals(THROTTLE);
        }
    }

    /**
     * Reads settings as a {@link jdk.jfr.Configuration} has them, in the order of its file.
     *
     * @throws IllegalArgumentException if they are too many
     */
    static Policy of(Map<String, String> settings) {
        byte[][] lines = new byte[settings.size() * TEXTS][];
        Map<String, String> ofLoupe = new LinkedHashMap<>();
        int at = 0;
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            lines[at++] = Native.utf8(eventOf(setting.getKey()));
            lines[at++] = Native.utf8(settingOf(setting.getKey()));
            lines[at++] = Native.utf8(setting.getValue());
            if (isOfLoupe(setting.getKey())) {
                ofLoupe.put(setting.getKey(), setting.getValue());
            }
        }
        byte[][] listed = Native.listSettings(lines);
        if (listed == null) {
            throw new IllegalArgumentException("the policy has too many event types or patterns");
        }
        return new Policy("", listed, 0, ofLoupe);
    }

    /** Returns the id that it has in the collector; empty if it is the agent's own. */
    String id() {
        return id;
    }

    /** Returns the event type, or the pattern, of a key {@code EVENT#SETTING}. */
    static String eventOf(String key) {
        return key.substring(0, Math.max(key.indexOf('#'), 0));
    }

    /** Returns the setting of a key {@code EVENT#SETTING}. */
    static String settingOf(String key) {
        return key.substring(key.indexOf('#') + 1);
    }

    /** Returns whether a key is of a setting of Loupe's, of which JFR knows nothing. */
    static boolean isOfLoupe(String key) {
        boolean isOfJdk =
                key.equals("jdk.MethodTrace#filter") || key.equals("jdk.MethodTiming#filter");
        boolean isOfRequests = eventOf(key).equals(REQUEST) && OF_REQUESTS.contains(settingOf(key));
        boolean isOfWaits = key.equals(JVM_POLICY + '#' + WAIT_BUDGET);
        return (OF_LOUPE.contains(settingOf(key)) && !isOfJdk) || isOfRequests || isOfWaits;
    }

    /** Returns whether the settings depend on which event types there are. */
    boolean needsTypes() {
        return needsTypes;
    }

    /** Returns whether events of some type are wanted in contexts only. */
    boolean selectsByContext() {
        for (int i = 0; i < texts.length; i += TEXTS) {
            if (texts[i + 1].equals(SELECT) && texts[i + 2].equals(IF_CONTEXT)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the policy makes events of some type contexts. */
    boolean makesContexts() {
        for (int i = 0; i < texts.length; i += TEXTS) {
            if (texts[i + 1].equals(CONTEXTUAL) && texts[i + 2].equals("true")) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether events of a type, which is not contextual, are wanted in contexts only. */
    boolean wantsContext(String type) {
        return IF_CONTEXT.equals(find(type, SELECT));
    }

    /** Returns whether events of a type are no contexts, whatever its annotations. */
    boolean deniesContexts(String type) {
        return "false".equals(find(type, CONTEXTUAL));
    }

    /** Returns how many events of waits a second the JVM may record; below 0: it is not said. */
    double waitBudget() {
        double budget = -1;
        for (int i = 0; i < texts.length; i += TEXTS) {
            if (texts[i].equals(JVM_POLICY) && texts[i + 1].equals(WAIT_BUDGET)) {
                budget = Native.parseRate(texts[i + 2]);
            }
        }
        return budget;
    }

    // Returns the value of a setting for a type, null if there is none.
    private String find(String type, String setting) {
        String found = null;
        boolean isNamed = false;
        for (int i = 0; i < texts.length; i += TEXTS) {
            boolean isName = texts[i].equals(type);
            if (texts[i + 1].equals(setting) && (isName || !isNamed)
                    && TypePattern.fits(type, texts[i])) {
                isNamed = isName;
                found = texts[i + 2];
            }
        }
        return found;
    }

    /**
     * Returns the settings for a recording. Patterns add SETTINGS_MAX at most: JFR has 8 settings
     * of 200 types or so, and a collector may send anything. The JVM throttles no contexts: the
     * settings switch that off by the policy alone, which knows no annotations.
     *
     * @param types the names of all event types that there are, and which of them are contextual
     */
    Map<String, String> settings(Map<String, Boolean> types) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (int i = 0; i < texts.length; i += TEXTS) {
            if (TypePattern.isPattern(texts[i])) {
                for (String type : types.keySet()) {
                    if (settings.size() < SETTINGS_MAX && TypePattern.fits(type, texts[i])) {
                        settings.put(type + '#' + texts[i + 1], texts[i + 2]);
                    }
                }
            }
        }
        for (int i = 0; i < texts.length; i += TEXTS) {
            if (!TypePattern.isPattern(texts[i])) {
                settings.put(texts[i] + '#' + texts[i + 1], texts[i + 2]);
            }
        }
        types.forEach((type, isContextual) -> {
            if (isContextual) {
                settings.replace(type + '#' + THROTTLE, "off");
            }
        });
        return settings;
    }
}
