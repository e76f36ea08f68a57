// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.outside;

import dev.loupe.internal.agent.Native;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import jdk.jfr.internal.EventInstrumentation;

/** Makes event classes in JFR's place, so that the agent can rewrite them. */
public final class EventClasses {
    private static final MethodHandle BUILD = findBuild();

    private EventClasses() {}

    // The method is public in older JDKs only.
    private static MethodHandle findBuild() {
        try {
            return MethodHandles.privateLookupIn(EventInstrumentation.class, MethodHandles.lookup())
                    .findVirtual(EventInstrumentation.class, "buildInstrumented",
                            MethodType.methodType(byte[].class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * Returns the class file that {@code instrumentation} makes, rewritten if the agent wants it.
     */
    public static byte[] make(Object instrumentation) {
        byte[] made = build((EventInstrumentation) instrumentation);
        try {
            byte[] rewritten = Native.rewriteEvent(made);
            return rewritten == null ? made : rewritten;
        } catch (VirtualMachineError e) { // of memory being short, say
            return made;
        }
    }

    private static byte[] build(EventInstrumentation instrumentation) {
        try {
            return (byte[]) BUILD.invokeExact(instrumentation);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e); // it throws no others
        }
    }
}
