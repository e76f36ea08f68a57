// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import dev.loupe.internal.ring.OpenContexts;
import dev.loupe.internal.ring.RingOwners;
import dev.loupe.internal.ring.RingRecords;
import java.util.concurrent.FutureTask;

/**
 * Begins and ends contexts in each of the last calls for which the stack has room. A call that
 * fails leaves no context that nobody can close, hides none for good, and the agent does not take
 * an open context for a closed one.
 */
@SuppressWarnings("try")
final class CarriedOverflows {
    private static final RecordingContextKey KEY = RecordingContextKey.forName("deep");
    private static final int CALLS = 60; // the last ones
    private static final long STACK_BYTES = 160 << 10;

    private final Marks.Order order = new Marks.Order();
    private final RecordingContext.Snapshot snapshot;
    private AutoCloseable made; // null: the call failed
    private FutureTask<?> task; // carries an order
    private int left; // calls that have no room

    private CarriedOverflows() {
        try (RecordingContext c = RecordingContext.where(KEY, "before").build()) {
            snapshot = RecordingContext.snapshot();
        }
    }

    static void run() throws Exception {
        Thread thread = new Thread(null, () -> new CarriedOverflows().overflow(), "o", STACK_BYTES);
        thread.start();
        thread.join();
    }

    private void overflow() {
        for (int calls = -1; calls < CALLS; calls++) { // -1: where there is room, to load all
            order.set();
            at(calls, order::unset);
            CarriedE2E.check("noted", true, OpenContexts.isSure());
            CarriedE2E.check("open, but not noted", 0L, openUnnoted());
            order.unset();
        }
        for (int calls = -1; calls < CALLS; calls++) {
            begin("build", calls, () -> made = RecordingContext.where(KEY, "deep").build());
            begin("activate", calls, () -> made = snapshot.activate());
            hide(calls);
        }
        for (int calls = -1; calls < CALLS; calls++) { // last: a context that is not closed stays
            RecordingContext context = RecordingContext.where(KEY, "closed").build();
            at(calls, context::close);
            CarriedE2E.check("open after close, but not noted", 0L, openUnnoted());
        }
    }

    private void begin(String name, int calls, Runnable work) {
        made = null;
        at(calls, work);
        close(made);
        CarriedE2E.check(name + ": stays", false, RecordingContext.snapshot().hasContext());
    }

    private void hide(int calls) {
        order.set();
        task = new FutureTask<>(() -> {}, null);
        order.unset();
        try (RecordingContext c = RecordingContext.where(KEY, "hidden").build()) {
            at(calls, task::run);
            CarriedE2E.check("hidden, and shown again", true, KEY.isBound());
        }
        CarriedE2E.check("hidden: stays", false, RecordingContext.snapshot().hasContext());
    }

    private static void close(AutoCloseable context) {
        try {
            if (context != null) {
                context.close();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static long openUnnoted() {
        OpenContexts noted = OpenContexts.find();
        long ring = RingOwners.findRing(RingOwners.idOf(Thread.currentThread()));
        return RingRecords.openOf(ring) & ~(noted == null ? 0 : noted.open());
    }

    // Does the work so many calls above the last one, below 0: here.
    private void at(int calls, Runnable work) {
        if (calls < 0) {
            work.run();
            return;
        }
        left = calls;
        try {
            dive(work);
        } catch (StackOverflowError e) {
            left = 0;
        }
    }

    private void dive(Runnable work) {
        try {
            dive(work);
        } catch (StackOverflowError e) {
            if (left-- == 0) {
                work.run();
            }
            throw e;
        }
    }
}
