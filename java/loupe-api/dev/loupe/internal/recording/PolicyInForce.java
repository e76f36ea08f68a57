// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import dev.loupe.internal.agent.Native;
import jdk.jfr.FlightRecorder;

/**
 * Says in the recording by which policy it records, with events {@link JvmPolicy}.
 *
 * <p>One thread at a time changes it; JFR runs it on the thread that begins a chunk.
 */
final class PolicyInForce implements Runnable {
    private static final class State {
        final String origin;
        final String policy;
        final long since = System.currentTimeMillis();

        State(String origin, String policy) {
            this.origin = origin;
            this.policy = policy;
        }
    }

    private volatile State now;
    private final Runnable commit = new Runnable() {
        @Override
        public void run() {
            State state = now;
            JvmPolicy event = new JvmPolicy();
            event.origin = state.origin;
            event.policy = state.policy;
            event.since = state.since;
            event.commit();
        }
    };

    // No lambdas here, see OwnPolicy.

    /** Begins with the policy that holds when the recording starts. */
    PolicyInForce(String origin, String policy) {
        now = new State(origin, policy);
        FlightRecorder.register(JvmPolicy.class);
        FlightRecorder.addPeriodicEvent(JvmPolicy.class, this);
    }

    /** The recording follows another policy from now on. */
    void change(String origin, String policy) {
        now = new State(origin, policy);
        run();
    }

    /** JFR does not call it any more. */
    void end() {
        FlightRecorder.removePeriodicEvent(this);
    }

    @Override
    public void run() {
        try {
            Recorded.during(commit);
        } catch (ReflectiveOperationException e) {
            Native.log(Native.LOG_DEBUG, "the recording does not say its policy: " + e);
        }
    }
}
