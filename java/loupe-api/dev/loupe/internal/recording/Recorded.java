// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

/** Whether the events of the current thread are recorded, which JFR's own threads need not be. */
final class Recorded {
    private static volatile Thread excluded; // the agent's own; null: none yet

    private Recorded() {}

    /** Leaves no events of this thread in any recording: the agent's one thread calls it. */
    static void exclude() throws ReflectiveOperationException {
        call("exclude");
        excluded = Thread.currentThread();
    }

    /** Undoes {@link #exclude}. */
    static void include() throws ReflectiveOperationException {
        call("include");
    }

    /** Runs work whose events are recorded, on whatever thread. */
    static void during(Runnable work) throws ReflectiveOperationException {
        boolean isExcluded = Thread.currentThread() == excluded;
        if (isExcluded) {
            include();
        }
        try {
            work.run();
        } finally {
            if (isExcluded) {
                exclude();
            }
        }
    }

    private static void call(String name) throws ReflectiveOperationException {
        JvmCalls.call(name, Thread.class, Thread.currentThread());
    }
}
