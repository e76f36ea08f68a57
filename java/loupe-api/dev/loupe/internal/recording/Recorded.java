// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import jdk.jfr.internal.JVM;

/** Whether the events of the current thread are recorded, which JFR's own threads need not be. */
final class Recorded {
    private Recorded() {}

    /** Leaves no events of this thread in any recording. */
    static void exclude() throws ReflectiveOperationException {
        call("exclude");
    }

    /** Undoes {@link #exclude}. */
    static void include() throws ReflectiveOperationException {
        call("include");
    }

    // The methods are static in newer JDKs only.
    private static void call(String name) throws ReflectiveOperationException {
        Method method = JVM.class.getMethod(name, Thread.class);
        Object jvm = Modifier.isStatic(method.getModifiers())
                ? null
                : JVM.class.getMethod("getJVM").invoke(null);
        method.invoke(jvm, Thread.currentThread());
    }
}
