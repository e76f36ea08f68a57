// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testing;

import dev.loupe.internal.Agent;
import java.util.List;

/**
 * Records the contexts that an application sets, in a JVM without the agent, for its unit tests.
 *
 * <pre>{@code
 * try (ContextRecorder recorder = ContextRecorder.start()) {
 *   service.handle(request);
 *   assertEquals(List.of(RecordedContext.of("shop.Request", "traceid", "t1", "endpoint", "/pay")),
 *       recorder.contexts());
 *   assertFalse(recorder.contexts().get(0).isOpen());
 * }
 * }</pre>
 *
 * <p>It records what all threads of the JVM do, from start to close. There is one at a time: tests
 * that run at the same time have to take turns, or share one and tell the contexts apart by
 * {@link RecordedContext#thread}. Contexts that were set before are unknown to it.
 *
 * <p>Values are those that were set. What depends on the agent does not apply: each type is
 * recorded, registered or not, however many attributes there are, and texts are not cut.
 */
public final class ContextRecorder implements AutoCloseable {
    private final ContextLog log = new ContextLog();

    private ContextRecorder() {}

    /**
     * Starts to record.
     *
     * @return the recorder, to be closed
     * @throws IllegalStateException if another one is open, or the agent is in this JVM
     */
    public static ContextRecorder start() {
        ContextRecorder recorder = new ContextRecorder();
        synchronized (ContextRecorder.class) {
            if (Agent.isActive) {
                throw new IllegalStateException(Agent.sink == null
                                ? "the Loupe agent is in this JVM, and takes all contexts"
                                : "another ContextRecorder is open");
            }
            Agent.sink = recorder.log;
            Agent.isActive = true;
        }
        return recorder;
    }

    /**
     * Returns the contexts that were recorded so far.
     *
     * @return all contexts in the order in which they began; it does not change any more
     */
    public List<RecordedContext> contexts() {
        return log.contexts();
    }

    /** Ends the recording. The recorded contexts stay available. */
    @Override
    public void close() {
        synchronized (ContextRecorder.class) {
            log.close();
            if (Agent.sink == log) {
                Agent.isActive = false;
                Agent.sink = ContextLog.CLOSED;
            }
        }
    }
}
