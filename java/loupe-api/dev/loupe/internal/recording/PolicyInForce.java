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
        final long since;
        final long floor; // in nanoseconds
        final long floorSince;

        State(String origin, String policy, long since, long floor, long floorSince) {
            this.origin = origin;
            this.policy = policy;
            this.since = since;
            this.floor = floor;
            this.floorSince = floorSince;
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
            event.floor = state.floor;
            event.floorSince = state.floorSince;
            event.commit();
        }
    };

    // No lambdas here, see OwnPolicy.

    /** Begins with the policy that holds when the recording starts. */
    PolicyInForce(String origin, String policy) {
        long since = System.currentTimeMillis();
        now = new State(origin, policy, since, 0, since);
        FlightRecorder.register(JvmPolicy.class);
        FlightRecorder.addPeriodicEvent(JvmPolicy.class, this);
    }

    /** The recording follows another policy from now on, with this floor of waits. */
    void change(String origin, String policy, long floorNanos) {
        change(origin, policy, System.currentTimeMillis(), floorNanos);
    }

    /** Returns the floor of waits that it says. */
    long floor() {
        return now.floor;
    }

    /** The recording follows the same policy with another floor from now on. */
    void raise(long floorNanos) {
        change(now.origin, now.policy, now.since, floorNanos);
    }

    private void change(String origin, String policy, long since, long floor) {
        boolean isSame = floor == now.floor;
        long floorSince = isSame ? now.floorSince : System.currentTimeMillis();
        now = new State(origin, policy, since, floor, floorSince);
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
