// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import java.io.IOException;
import java.text.ParseException;
import java.util.HashMap;
import java.util.Map;
import jdk.jfr.Configuration;

/**
 * What the agent records by if its options say nothing else, until a collector has a policy: the
 * JDK's profile, and what a request may have waited for as loupe.jfc has it. So the waits of a
 * JVM's first second are there, whatever the collector answers then.
 *
 * <p>Its settings have none of Loupe's alone: a collector without a policy keeps all of it. So the
 * budget is not among them.
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
