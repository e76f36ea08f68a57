// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import java.util.HashMap;
import java.util.Map;

/**
 * The floor of waits over simulated time: waits of some lengths come at some rates, what is at
 * least as long as floor and threshold is recorded, and the agent reads that some time later. The
 * expected floors follow from the lengths and rates. Without the agent.
 */
public final class FloorCases {
    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;
    private static final double BUDGET = 2000;

    /** A JVM, its recording and its agent; a second at a time. */
    private static final class Jvm {
        final WaitFloor floor = new WaitFloor();
        final long least;
        long now = 1_700_000_000 * SECOND; // wall time
        long recorded; // time so far
        long events; // so far
        long before; // the floor of the first tenth of the next second

        Jvm(double budget, long least) {
            this.least = least;
            floor.bound(budget, least);
        }

        // Waits of a length, so many a second.
        void second(long length, long rate) {
            record(length, rate / 10, before);
            record(length, rate - rate / 10, floor.nanos());
            before = floor.nanos();
            recorded += SECOND;
            now += SECOND;
        }

        private void record(long length, long count, long floorThen) {
            events += length >= Math.max(floorThen, least) ? count : 0;
        }

        // The agent reads what there is and sets what follows, a tenth of a second later.
        void read() {
            long was = floor.nanos();
            floor.judge(events, recorded, now);
            if (floor.nanos() != was) {
                floor.applied(now + SECOND / 10);
            }
        }

        // Returns in which second the floor becomes this, and fails if it never does.
        int until(long floorNanos, long length, long rate) {
            for (int second = 1; second < 1000; second++) {
                second(length, rate);
                read();
                if (floor.nanos() == floorNanos) {
                    return second;
                }
            }
            throw new AssertionError("not " + floorNanos + " but " + floor.nanos());
        }

        void stays(int seconds, long length, long rate) {
            long was = floor.nanos();
            for (int i = 0; i < seconds; i++) {
                second(length, rate);
                read();
                is(was, floor.nanos());
            }
        }
    }

    private FloorCases() {}

    private static void is(long expected, long found) {
        if (expected != found) {
            throw new AssertionError(found + ", not " + expected);
        }
    }

    private static void isAtMost(long most, long found) {
        if (found > most) {
            throw new AssertionError(found + ", more than " + most);
        }
    }

    // Up to the first step above the waits, though the agent knows of it a second later, and down
    // again when they are over: one step of 10 seconds.
    private static void spike() {
        Jvm jvm = new Jvm(BUDGET, MILLI);
        isAtMost(2, jvm.until(2 * MILLI, 3 * MILLI / 2, 3000));
        jvm.stays(9, 3 * MILLI / 2, 3000);
        int seconds = jvm.until(0, 3 * MILLI / 2, 0);
        isAtMost(13, seconds);
        jvm.stays(100, 3 * MILLI / 2, 0);
    }

    // Four times the budget is two steps at once.
    private static void steep() {
        Jvm jvm = new Jvm(BUDGET, MILLI);
        is(1, jvm.until(5 * MILLI, 3 * MILLI, 8001));
        Jvm other = new Jvm(BUDGET, MILLI);
        is(1, other.until(2 * MILLI, 3 * MILLI, 7999));
    }

    // All steps in order; above the last the policy's thresholds are what is left.
    private static void ramp() {
        long[] steps = {100, 200, 500, 1000, 2000, 5000, 10_000, 20_000}; // in microseconds
        Jvm jvm = new Jvm(BUDGET, 0);
        for (long step : steps) {
            jvm.until(step * 1000, 30 * MILLI, 3000);
        }
        jvm.stays(30, 30 * MILLI, 100_000);
        for (int i = steps.length - 2; i >= 0; i--) {
            isAtMost(13, jvm.until(steps[i] * 1000, 0, 0));
        }
        isAtMost(13, jvm.until(0, 0, 0));
    }

    // Up to the budget nothing happens, and between half of it and all of it the floor stays.
    private static void middle() {
        Jvm jvm = new Jvm(BUDGET, MILLI);
        jvm.stays(100, 3 * MILLI, 2000);
        jvm.until(2 * MILLI, 3 * MILLI, 2001);
        jvm.stays(100, 3 * MILLI, 1000);
        for (int i = 0; i < 20; i++) {
            jvm.stays(9, 3 * MILLI, 0); // not ten in a row
            jvm.stays(1, 3 * MILLI, 1500);
        }
        jvm.until(0, 3 * MILLI, 999);
    }

    // Steps that change no threshold are left out, both ways, and without waits there are none.
    private static void thresholds() {
        new Jvm(BUDGET, 20 * MILLI).stays(30, 30 * MILLI, 100_000);
        new Jvm(BUDGET, Long.MAX_VALUE).stays(30, 30 * MILLI, 100_000);
        Jvm jvm = new Jvm(BUDGET, 9 * MILLI);
        jvm.until(10 * MILLI, 15 * MILLI, 3000);
        jvm.until(20 * MILLI, 15 * MILLI, 3000);
        jvm.until(10 * MILLI, 15 * MILLI, 0);
        jvm.until(0, 15 * MILLI, 0);
    }

    // Where the waits go on, each try to go down waits for twice as long, up to five minutes; once
    // they have been over for as long, it is ten seconds again.
    private static void patience() {
        Jvm jvm = new Jvm(BUDGET, MILLI);
        jvm.until(2 * MILLI, 3 * MILLI / 2, 3000);
        for (int wait : new int[] {10, 20, 40, 80, 160, 300, 300}) {
            int seconds = jvm.until(0, 3 * MILLI / 2, 3000);
            is(1, seconds >= wait && seconds <= wait + 3 ? 1 : 0);
            isAtMost(3, jvm.until(2 * MILLI, 3 * MILLI / 2, 3000));
        }
        jvm.until(0, 3 * MILLI / 2, 0);
        jvm.stays(302, 3 * MILLI / 2, 0);
        jvm.until(2 * MILLI, 3 * MILLI / 2, 3000);
        isAtMost(13, jvm.until(0, 3 * MILLI / 2, 3000));
    }

    // Minutes that are read at once count as one second of their rate, and what was recorded before
    // a change says nothing about it.
    private static void backlog() {
        Jvm jvm = new Jvm(BUDGET, MILLI);
        for (int i = 0; i < 600; i++) {
            jvm.second(30 * MILLI, 3000);
        }
        long events = jvm.events;
        long end = jvm.now;
        WaitFloor floor = jvm.floor;
        floor.judge(events / 2, 300 * SECOND, end - 300 * SECOND);
        is(2 * MILLI, floor.nanos());
        floor.applied(end);
        for (int i = 301; i <= 600; i++) {
            floor.judge(events / 600 * i, i * SECOND, end - (600 - i) * SECOND);
            is(2 * MILLI, floor.nanos());
        }
        floor.judge(events + 3000, 601 * SECOND, end + SECOND);
        is(5 * MILLI, floor.nanos());
    }

    // What another recording wants is recorded in any case: the floor does not rise above it,
    // though it may be there already, and what was recorded beside it says nothing about the floor.
    private static void others() {
        Jvm jvm = new Jvm(BUDGET, MILLI);
        jvm.floor.limit(0, jvm.now);
        jvm.stays(30, 30 * MILLI, 100_000);
        jvm.floor.limit(10 * MILLI, jvm.now);
        jvm.until(10 * MILLI, 30 * MILLI, 100_000);
        jvm.stays(30, 30 * MILLI, 100_000);
        jvm.floor.limit(0, jvm.now);
        jvm.stays(30, 30 * MILLI, 100_000);
        jvm.second(30 * MILLI, 100_000); // read when the other recording has ended
        jvm.floor.limit(Long.MAX_VALUE, jvm.now);
        jvm.read();
        is(10 * MILLI, jvm.floor.nanos());
        isAtMost(13, jvm.until(5 * MILLI, 30 * MILLI, 0));
        jvm.floor.limit(0, jvm.now);
        jvm.stays(5, 30 * MILLI, 100_000); // it was no mistake to go down
        jvm.floor.limit(Long.MAX_VALUE, jvm.now);
        isAtMost(13, jvm.until(2 * MILLI, 30 * MILLI, 0));
    }

    // Settings of other types, and other settings, leave what is recorded of waits as it is.
    private static void sameness() {
        Map<String, String> one = Map.of("jdk.ThreadPark#enabled", "true",
                "jdk.ThreadPark#threshold", "1 ms", "jdk.SocketRead#throttle", "100/s");
        Map<String, String> other = new HashMap<>(one);
        other.put("shop.Sale#enabled", "true");
        other.put("jdk.ThreadPark#stackTrace", "true");
        is(1, Waits.areSame(one, other) ? 1 : 0);
        for (String key : one.keySet()) {
            Map<String, String> changed = new HashMap<>(other);
            changed.put(key, "another");
            is(0, Waits.areSame(one, changed) ? 1 : 0);
            changed.remove(key);
            is(0, Waits.areSame(one, changed) ? 1 : 0);
        }
    }

    // Nothing is read while no collector takes anything, and nothing changes.
    private static void unread() {
        Jvm jvm = new Jvm(BUDGET, MILLI);
        jvm.until(2 * MILLI, 3 * MILLI, 3000);
        for (int i = 0; i < 1000; i++) {
            jvm.read();
        }
        is(2 * MILLI, jvm.floor.nanos());
    }

    // Another policy keeps the floor where it has a budget and lower thresholds.
    private static void policies() {
        Jvm jvm = new Jvm(BUDGET, MILLI);
        jvm.until(2 * MILLI, 3 * MILLI / 2, 3000);
        jvm.floor.bound(100, 0);
        is(2 * MILLI, jvm.floor.nanos());
        jvm.floor.bound(100, 2 * MILLI);
        is(0, jvm.floor.nanos());
        jvm.floor.bound(BUDGET, MILLI);
        jvm.until(2 * MILLI, 3 * MILLI / 2, 3000);
        jvm.floor.bound(-1, MILLI);
        is(0, jvm.floor.nanos());
    }

    public static void main(String[] args) {
        spike();
        steep();
        ramp();
        middle();
        thresholds();
        patience();
        backlog();
        others();
        sameness();
        unread();
        policies();
    }
}
