// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import java.io.IOException;
import java.text.ParseException;
import java.util.HashMap;
import java.util.Map;
import jdk.jfr.Configuration;

/**
 * The agent's default policy, until a collector has one: the JDK's profile, with the waits of
 * loupe.jfc. So the waits of a JVM's first second are recorded, whatever the collector answers.
 *
 * <p>It has no settings that are Loupe's alone: a collector without a policy keeps everything. So
 * it has no budget.
 */
final class DefaultPolicy {
    /** How the agent's options call it. */
    static final String NAME = "loupe";
    /** How many events of waits a second the JVM may record by it, as loupe.jfc has it. */
    static final double WAIT_BUDGET = 2000;

    private static final String PROFILE = "profile";
    private static final String THRESHOLD = "1 ms";

    private DefaultPolicy() {}

    static Map<String, String> read() throws IOException, ParseException {
        Map<String, String> settings =
                new HashMap<>(Configuration.getConfiguration(PROFILE).getSettings());
        for (String type : Waits.TYPES) {
            settings.put(type + "#enabled", "true");
            settings.put(type + "#stackTrace", "true");
            settings.put(type + "#threshold", THRESHOLD);
        }
        return settings;
    }
}
