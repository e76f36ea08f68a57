// SPDX-License-Identifier: Apache-2.0
package java.util.concurrent;

import dev.loupe.internal.outside.EventClasses;
import dev.loupe.internal.outside.Outside;

/**
 * The methods that JFR and event classes call (src/agent/jvmti/jvmti_events.h). It is in this
 * package because each class loader finds the classes of this package.
 */
public final class LoupeEvents {
    private LoupeEvents() {}

    public static byte[] make(Object instrumentation) {
        return EventClasses.make(instrumentation);
    }

    public static boolean shouldCommit(Object event) {
        return Outside.shouldCommit(event);
    }
}
