// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import jdk.jfr.AnnotationElement;
import jdk.jfr.EventType;

/** Which event types show contexts: by docs/internals/elimination.md#context-styles. */
final class OracleAware {
    private final OraclePolicy policy;
    private final Map<Boolean, Boolean> isChosen = new HashMap<>(); // by whether it is of the JVM

    /** types: all that the recording describes. */
    OracleAware(Collection<EventType> types, OraclePolicy policy) {
        this.policy = policy;
        for (EventType type : types) {
            isChosen.merge(
                    isOfJvm(type), Boolean.TRUE.equals(saidOrNull(type)), Boolean::logicalOr);
        }
    }

    boolean shows(EventType type) {
        Boolean said = saidOrNull(type);
        return said != null ? said : !isChosen.getOrDefault(isOfJvm(type), false);
    }

    private static boolean isOfJvm(EventType type) {
        return type.getName().startsWith("jdk.");
    }

    private Boolean saidOrNull(EventType type) {
        String setting = policy.withContextOrNull(type.getName());
        if (setting != null) {
            return setting.equals("true");
        }
        Boolean said = null;
        for (AnnotationElement annotation : type.getAnnotationElements()) {
            if (annotation.getTypeName().endsWith(".ContextAware")) {
                said = !String.valueOf(annotation.getValue("value")).equals("false");
            }
        }
        return said;
    }
}
