// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Runs the programs that its arguments name, one after the other. Each uses a library with Loupe's
 * jar for it, and makes events that say which context they have to be in.
 */
final class Adapters {
    static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    static final String PARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";

    private static final RecordingContextKey USER = RecordingContextKey.forName("user");
    private static final AtomicInteger COUNT = new AtomicInteger();

    /** What programs have said so far. A thread of one's library may still work while the next one begins. */
    private static int said;

    private Adapters() {}

    /** A use of a library. */
    interface Use {
        void run() throws Exception;
    }

    /** Says which attributes the context of this type has to have, joined by commas. */
    @Name("e2e.Work")
    @StackTrace(false)
    static final class Work extends Event {
        String type;
        String expected;
    }

    static void work(String expected) {
        work("loupe.RecordingContext", expected);
    }

    static void work(String type, String expected) {
        Work work = new Work();
        work.type = type;
        work.expected = expected;
        work.commit();
        COUNT.incrementAndGet();
    }

    /** Works in a context of the program's own inside of the one that is expected around it. */
    @SuppressWarnings("try")
    static void workInside(String expected, Runnable more) {
        try (RecordingContext context = RecordingContext.where(USER, "anna").build()) {
            work(expected + ",user=anna");
            more.run();
            work(expected + ",user=anna");
        }
        work(expected);
    }

    /** Runs a task on a thread that works for somebody else. */
    @SuppressWarnings("try")
    static void whileBusy(Use task) throws Exception {
        try (RecordingContext context = RecordingContext.where(USER, "bert").build()) {
            task.run();
            work("user=bert");
        }
        work("");
    }

    private static void run(String program) throws Exception {
        Use use = (Use) Class.forName(Adapters.class.getPackageName() + "." + program)
                          .getDeclaredConstructor()
                          .newInstance();
        use.run();
        int before = said;
        said = COUNT.get();
        System.out.println(program + " " + (said - before));
    }

    // Threads of libraries may be left, so it is told to end.
    public static void main(String[] args) {
        try {
            for (String program : args) {
                run(program);
            }
            System.exit(0);
        } catch (Exception | Error e) {
            e.printStackTrace();
            System.exit(1);
        }
    }
}
