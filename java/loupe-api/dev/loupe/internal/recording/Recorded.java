// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

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

    private static void call(String name) throws ReflectiveOperationException {
        JvmCalls.call(name, Thread.class, Thread.currentThread());
    }
}
