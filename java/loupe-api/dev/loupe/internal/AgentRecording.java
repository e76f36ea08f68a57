// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/**
 * The agent's JFR recording. Somebody may stop it, with jcmd say; then it can be started again.
 *
 * <p>One thread at a time uses it.
 */
final class AgentRecording {
    // JFR's repository on disk is the spool for events while the collector is away.
    private static final Duration SPOOL_AGE_MAX = Duration.ofHours(1);
    private static final long SPOOL_BYTES_MAX = 256L << 20;

    private final Configuration settings;
    private Recording recording; // null: none yet

    /** Reads the policy, a file or the name of one that the JDK has. */
    AgentRecording(String policy) throws IOException, ParseException {
        boolean isFile = policy.endsWith(".jfc") || policy.indexOf('/') >= 0;
        settings = isFile ? Configuration.create(Path.of(policy))
                          : Configuration.getConfiguration(policy);
    }

    /** Starts it, the first time or again. Events are recorded when it returns. */
    void start() {
        Recording next = new Recording(settings);
        try {
            next.setName("loupe");
            next.setToDisk(true);
            next.setMaxAge(SPOOL_AGE_MAX);
            next.setMaxSize(SPOOL_BYTES_MAX);
            // Its start time tells up to when a flush is complete.
            next.enable("jdk.Flush").withThreshold(Duration.ZERO);
            next.start();
        } catch (Throwable e) {
            next.close();
            throw e;
        }
        close();
        recording = next;
    }

    boolean isRunning() {
        return recording.getState() == RecordingState.RUNNING;
    }

    /** Ends it; JFR deletes what only this recording wanted to keep. */
    void close() {
        if (recording != null) {
            recording.close();
        }
    }
}
