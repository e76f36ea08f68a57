// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import jdk.jfr.Configuration;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;

/**
 * What the agent does in Java: starts the recording and has its chunks rotated. Called by the
 * agent only.
 */
final class AgentMain {
    // JFR's repository on disk is the spool for events while the collector is away.
    private static final Duration SPOOL_AGE_MAX = Duration.ofHours(1);
    private static final long SPOOL_BYTES_MAX = 256L << 20;

    private static Recording recording;
    private static Housekeeping housekeeping;

    private AgentMain() {}

    /**
     * Starts the recording. Events are recorded when it returns.
     *
     * @return the repository, java.vm.name and java.runtime.version; what went wrong, if it is one
     *         text only
     */
    static byte[][] start(String policy, int segmentSeconds) {
        try {
            if (!FlightRecorder.isAvailable()) {
                return texts("JDK Flight Recorder is not available in this JVM");
            }
            record(policy);
            housekeeping = new Housekeeping(recording, segmentSeconds);
            return texts(housekeeping.repository(), System.getProperty("java.vm.name"),
                    System.getProperty("java.runtime.version"));
        } catch (Throwable e) {
            stop();
            return texts("the recording does not start: " + e);
        }
    }

    /**
     * Makes the API active, and keeps the recording in order from now on.
     *
     * @param agents every copy of {@link Agent} that there is in this JVM
     */
    static void activate(Class<?>[] agents) {
        housekeeping.start();
        for (Class<?> agent : agents) {
            try {
                if (Class.forName(Rings.class.getName(), false, agent.getClassLoader())
                        == Rings.class) {
                    agent.getField("sink").set(null, null); // of unit tests
                    agent.getField("isActive").setBoolean(null, true);
                    ContextFilters.adopt(agent);
                } else {
                    Native.log(Native.LOG_WARN,
                            "a class loader prefers its own loupe.jar: " + agent.getClassLoader());
                }
            } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
                Native.log(Native.LOG_WARN, "a copy of loupe.jar stays without effect: " + e);
            }
        }
    }

    /** Takes back what start did, also half of it. */
    static void stop() {
        if (recording != null) {
            recording.close();
            recording = null;
        }
    }

    private static byte[][] texts(String... texts) {
        byte[][] bytes = new byte[texts.length][];
        for (int i = 0; i < texts.length; i++) {
            bytes[i] = Native.utf8(String.valueOf(texts[i]));
        }
        return bytes;
    }

    private static void record(String policy) throws IOException, ParseException {
        boolean isFile = policy.endsWith(".jfc") || policy.indexOf('/') >= 0;
        Configuration settings = isFile ? Configuration.create(Path.of(policy))
                                        : Configuration.getConfiguration(policy);
        recording = new Recording(settings);
        recording.setName("loupe");
        recording.setToDisk(true);
        recording.setMaxAge(SPOOL_AGE_MAX);
        recording.setMaxSize(SPOOL_BYTES_MAX);
        // Its start time tells up to when a flush is complete.
        recording.enable("jdk.Flush").withThreshold(Duration.ZERO);
        recording.start();
    }
}
