// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

/**
 * Decides how short waits may be that are recorded: 0, or a floor while there are more of them than
 * the policy's budget.
 *
 * <p>Time is that of the recording, so that it does not matter when it is read. After each second
 * of it the floor goes up by a step if there were more events than the budget, by two steps if
 * there were more than four times as many. It goes down by a step after 10 seconds in a row with
 * less than half of the budget. If it has to go up within 10 seconds after that, it waits for twice
 * as long the next time, 5 minutes at most. Steps that change no threshold are left out, and the
 * floor does not rise above what other recordings want.
 *
 * <p>Events from before the last change of the floor are not judged.
 *
 * <p>One thread at a time uses it. It knows nothing of JFR, nor of clocks.
 */
final class WaitFloor {
    private static final long SECOND = 1_000_000_000; // in nanoseconds, as all times here
    private static final long MILLI = 1_000_000;
    private static final long[] STEPS = {0, MILLI / 10, MILLI / 5, MILLI / 2, MILLI, 2 * MILLI,
            5 * MILLI, 10 * MILLI, 20 * MILLI};
    private static final double MUCH = 4; // times the budget
    private static final double LITTLE = 0.5; // of the budget
    private static final long PATIENCE_LEAST = 10 * SECOND;
    private static final long PATIENCE_MOST = 300 * SECOND;
    private static final long NEVER = -1;

    private double budget = -1; // events a second; below 0: there is none
    private long least; // of the policy's thresholds
    private long most = Long.MAX_VALUE; // the floor does not rise above this
    private int step;
    private long from; // wall time: earlier events are not judged
    private long patience = PATIENCE_LEAST;
    private long calm; // so long there was less than half of the budget
    private long sinceDown = NEVER; // so long the floor is lower, or NEVER where it went up since
    // All as of the last judgement.
    private long events;
    private long recorded;
    private long until; // wall time

    /**
     * Has another budget and other thresholds from now on. The floor stays, unless it is for
     * nothing by these.
     *
     * @param budget events a second; below 0: there is none
     * @param least the lowest threshold of the policy; {@code Long.MAX_VALUE} if it wants no waits
     */
    void bound(double budget, long least) {
        this.budget = budget;
        this.least = least;
        if (budget < 0 || STEPS[step] <= least) {
            step = 0;
        }
    }

    boolean hasBudget() {
        return budget >= 0;
    }

    /** Returns the floor; 0: the policy's thresholds are what counts. */
    long nanos() {
        return STEPS[step];
    }

    /**
     * Has the floor rise no higher than this from now on.
     *
     * @param most the lowest threshold of other recordings, which have the JVM record all above it;
     *         {@code Long.MAX_VALUE} if there are none
     * @param wallNanos when now is
     */
    void limit(long most, long wallNanos) {
        if (most != this.most) {
            this.most = most;
            from = wallNanos;
        }
    }

    /** For when the thresholds have changed, at this wall time. */
    void applied(long wallNanos) {
        from = wallNanos;
    }

    /**
     * Compares the events since the last call with the budget, once a second was recorded.
     *
     * @param nowEvents the events of waits that were recorded so far
     * @param nowRecorded in how much time
     * @param nowUntil up to this wall time
     */
    void judge(long nowEvents, long nowRecorded, long nowUntil) {
        long elapsed = nowRecorded - recorded;
        boolean isOld = until < from;
        if (!isOld && elapsed < SECOND) {
            return;
        }
        double rate = (double) (nowEvents - events) * SECOND / elapsed;
        events = nowEvents;
        recorded = nowRecorded;
        until = nowUntil;
        if (isOld) {
            return;
        }
        if (rate > budget) {
            rise(rate > MUCH * budget ? 2 : 1);
        } else {
            settle(elapsed, rate < LITTLE * budget);
        }
    }

    private void rise(int steps) {
        int before = step;
        calm = 0;
        for (int i = 0; i < steps; i++) {
            step = above();
        }
        if (step == before) {
            return;
        }
        if (sinceDown != NEVER && sinceDown < PATIENCE_LEAST) {
            patience = Math.min(2 * patience, PATIENCE_MOST);
        }
        sinceDown = NEVER;
    }

    private void settle(long elapsed, boolean isLittle) {
        if (sinceDown != NEVER) {
            sinceDown += elapsed;
            patience = sinceDown >= patience ? PATIENCE_LEAST : patience;
        }
        calm = isLittle ? calm + elapsed : 0;
        if (step > 0 && calm >= patience) {
            step = STEPS[step - 1] > least ? step - 1 : 0;
            calm = 0;
            sinceDown = 0;
        }
    }

    // The next step that changes a threshold; the same one if there is none.
    private int above() {
        for (int i = step + 1; i < STEPS.length; i++) {
            if (STEPS[i] > least && STEPS[i] <= most) {
                return i;
            }
        }
        return step;
    }
}
