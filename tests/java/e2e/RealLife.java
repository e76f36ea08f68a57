// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.Loupe;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/**
 * SequenceE2E in a JVM in which something happens that real JVMs have to live with.
 *
 * <pre>RealLife CASE SEQUENCE_ARGUMENTS...</pre>
 */
public final class RealLife {
    private static final int HALTED = 7;

    private RealLife() {}

    public static void main(String[] args) throws Exception {
        String[] rest = Arrays.copyOfRange(args, 1, args.length);
        Method method = RealLife.class.getDeclaredMethod(args[0], String[].class);
        method.invoke(null, (Object) rest);
    }

    /** One context of the type e2e.Span is open from the first tick to the last. */
    static void open(String[] args) {
        Loupe.registerContext(Marks.Span.class);
        Marks.Span span = new Marks.Span();
        span.id = 1;
        span.set();
        SequenceE2E.main(args);
        span.unset();
    }

    /** The JVM is halted. */
    static void halt(String[] args) {
        SequenceE2E.main(args);
        Runtime.getRuntime().halt(HALTED);
    }

    /**
     * A shutdown hook calls System.exit, which never returns, and once it and JFR have had their
     * turn another one halts the JVM.
     */
    static void hook(String[] args) {
        Thread exits = new Thread(() -> System.exit(1));
        Thread halts = new Thread(() -> {
            while (exits.getState() != Thread.State.BLOCKED
                            && exits.getState() != Thread.State.WAITING
                    || isRecording()) {
                LockSupport.parkNanos(1_000_000);
            }
            Runtime.getRuntime().halt(HALTED);
        });
        Runtime.getRuntime().addShutdownHook(exits);
        Runtime.getRuntime().addShutdownHook(halts);
        SequenceE2E.main(args);
        System.exit(0);
    }

    private static boolean isRecording() {
        for (Recording recording : FlightRecorder.getFlightRecorder().getRecordings()) {
            if (recording.getState() == RecordingState.RUNNING) {
                return true;
            }
        }
        return false;
    }

    /** Once the file of the first argument is there, a thread takes all memory and keeps it. */
    static void hog(String[] args) {
        Hog hog = new Hog();
        Thread thread = new Thread(() -> {
            while (!Files.exists(Path.of(args[0]))) {
                LockSupport.parkNanos(1_000_000);
            }
            hog.eat();
        });
        thread.start();
        SequenceE2E.main(Arrays.copyOfRange(args, 1, args.length));
    }

    /** Forks in ways that Java knows nothing of, a while after the beginning. */
    static void fork(String[] args) {
        System.loadLibrary("loupe-forks");
        new Thread(() -> {
            for (int how = 0; how < Forks.WAYS; how++) {
                System.out.println("fork " + how + " " + Forks.fork(how, args[0]));
            }
        }).start();
        SequenceE2E.main(Arrays.copyOfRange(args, 1, args.length));
    }
}
