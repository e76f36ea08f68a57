// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The policy of the collector: settings of JFR's for event types, which it names one by
 * one or many by a pattern.
 *
 * <p>Settings by name go before those by pattern, and later ones before earlier ones.
 */
final class CentralPolicy {
    private static final int TEXTS = 3; // event type or pattern, setting and value
    private static final String THROTTLE = "throttle";
    private static final int SETTINGS_MAX = 65536; // that patterns come to, for all types

    private final String[] texts;
    private boolean needsTypes;

    /** Reads the result of {@code Native.takePolicy}. */
    CentralPolicy(byte[][] utf8) {
        texts = new String[utf8.length - 1];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = new String(utf8[i + 1], StandardCharsets.UTF_8);
        }
        for (int i = 0; i < texts.length; i += TEXTS) {
            needsTypes |= TypePattern.isPattern(texts[i]) || texts[i + 1].equals(THROTTLE);
        }
    }

    /** Returns whether the settings depend on which event types there are. */
    boolean needsTypes() {
        return needsTypes;
    }

    /**
     * Returns the settings for a recording, of patterns no more than there is room for: JFR has 8
     * settings of 200 types or so, and a collector may send what it likes. The JVM does not
     * throttle contexts: the collector chooses among all of them first, and knows of annotations
     * only when the events come.
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
