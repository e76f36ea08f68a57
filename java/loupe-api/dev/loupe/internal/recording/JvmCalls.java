// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import jdk.jfr.internal.JVM;

/** Calls JFR's natives, which are static in newer JDKs only. */
final class JvmCalls {
    private JvmCalls() {}

    static Object call(String name) throws ReflectiveOperationException {
        Method method = JVM.class.getMethod(name);
        return method.invoke(jvmFor(method));
    }

    static void call(String name, Class<?> type, Object argument)
            throws ReflectiveOperationException {
        Method method = JVM.class.getMethod(name, type);
        method.invoke(jvmFor(method), argument);
    }

    private static Object jvmFor(Method method) throws ReflectiveOperationException {
        return Modifier.isStatic(method.getModifiers())
                ? null
                : JVM.class.getMethod("getJVM").invoke(null);
    }
}
