// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import dev.loupe.internal.agent.Native;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The event types that the operator of the JVM forbids, whatever a policy says.
 *
 * <p>JFR takes settings by more than a type's name: by the name that a type of the JDK had before
 * JDK 11, and by the number that it has in this JVM. One setting that enables a type goes before
 * all that do not.
 */
final class DeniedTypes {
    private static final String ENABLED = "#enabled";
    private static final String PREFIX = "jdk.";
    private static final String PREFIX_BEFORE = "com.oracle.jdk.";

    private final List<String> denied = new ArrayList<>(); // names and patterns
    private boolean needsTypes;

    /** Reads names and patterns, joined by +; nothing is denied by an empty list. */
    DeniedTypes(String list) {
        for (String one : list.split("\\+")) {
            if (!one.isEmpty()) {
                denied.add(nameNow(one));
                needsTypes |= TypePattern.isPattern(one);
            }
        }
    }

    boolean isEmpty() {
        return denied.isEmpty();
    }

    /** Returns whether the denied types depend on the existing event types. */
    boolean needsTypes() {
        return needsTypes;
    }

    /** Logs which types of the JDK are denied that this JVM does not have. */
    void check(Set<String> types) {
        for (String one : denied) {
            if (one.startsWith(PREFIX) && types.stream().noneMatch(t -> TypePattern.fits(t, one))) {
                Native.log(Native.LOG_WARN, "option deny: this JVM has no event type " + one);
            }
        }
    }

    /**
     * Returns settings that switch all denied types off. One that is registered later is off from
     * the beginning where it is denied by its name, or the settings have it; JFR knows no patterns.
     *
     * @param settings as a {@link jdk.jfr.Recording} has them
     * @param types the names of all event types that there are; needed where needsTypes() is true
     */
    Map<String, String> apply(Map<String, String> settings, Set<String> types) {
        Map<String, String> allowed = new HashMap<>();
        Set<String> names = new HashSet<>(types);
        denied.stream().filter(one -> !TypePattern.isPattern(one)).forEach(names::add);
        settings.forEach((key, value) -> {
            String name = nameNow(key.substring(0, Math.max(key.indexOf('#'), 0)));
            names.add(name);
            if (!isDenied(name) && (denied.isEmpty() || !isNumber(name))) {
                allowed.put(key, value);
            }
        });
        for (String name : names) {
            if (isDenied(name)) {
                allowed.put(name + ENABLED, "false");
            }
        }
        return allowed;
    }

    private boolean isDenied(String name) {
        for (String one : denied) {
            if (TypePattern.fits(name, one)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a setting says the number of a type in place of its name. */
    static boolean isNumber(String name) {
        return !name.isEmpty() && name.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static String nameNow(String name) {
        boolean isBefore = name.startsWith(PREFIX_BEFORE);
        return isBefore ? PREFIX + name.substring(PREFIX_BEFORE.length()) : name;
    }
}
