// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import dev.loupe.internal.Agent;
import dev.loupe.internal.Recordings;
import dev.loupe.internal.Rings;
import dev.loupe.internal.ring.ContextLayout;
import dev.loupe.internal.ring.OpenContexts;
import dev.loupe.internal.ring.RingOwners;
import java.util.function.LongBinaryOperator;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import jdk.jfr.internal.JVM;

/**
 * The contexts of a task on the thread that runs it, from before its begin until after its end. The
 * thread has no others meanwhile.
 */
final class TakenUp {
    private final OpenContexts contexts; // of the thread
    private final Carried carried;
    private final Carried before; // the thread's own contexts, except its RecordingContext
    private Object stack; // Recordings.set; null: the thread has no RecordingContext, and the task
                          // has none
    private long serial; // in stack

    private TakenUp(OpenContexts contexts, Carried carried) {
        this.contexts = contexts;
        this.carried = carried;
        this.before = Carried.of(contexts, null);
    }

    /**
     * Begins contexts on the current thread.
     *
     * @return the object that ends them; null if the thread has exactly these contexts or the agent
     *         is off. Also null if memory or stack are short: then the task runs without contexts,
     *         which is counted
     */
    static TakenUp begin(HandOver handOver) {
        return handOver == null ? null : begin(handOver, false);
    }

    /** Begins contexts on the current thread, which has just started, until it ends. */
    static void beginForGood(HandOver handOver) {
        if (handOver != null) {
            begin(handOver, true);
        }
    }

    private static TakenUp begin(HandOver handOver, boolean isForGood) {
        if (!Agent.isActive) {
            return null;
        }
        try {
            OpenContexts contexts = OpenContexts.findOrMake();
            Carried carried = handOver.carried;
            if (contexts.lender() == carried) {
                return null;
            }
            TakenUp takenUp = new TakenUp(contexts, carried);
            takenUp.beginAll(handOver, isForGood);
            contexts.setLender(carried); // the task hands over the same contexts
            return takenUp;
        } catch (VirtualMachineError | LinkageError e) {
            RingOwners.countDropped();
            return null;
        }
    }

    // If one context fails, this ends the others: no context stays on the thread.
    private void beginAll(HandOver handOver, boolean isForGood) {
        long time = JVM.counterTime();
        try {
            change(before, handOver, carried, time);
            if (carried.recording != null) {
                beginRecording(isForGood, time);
            } else if (contexts.isOpen(Recordings.typeId())) {
                Object own = contexts.stack();
                serial = ((LongUnaryOperator) own).applyAsLong(time); // hides it
                stack = own;
            }
        } catch (Throwable e) {
            endAll();
            throw e;
        }
    }

    private void beginRecording(boolean isForGood, long time) {
        if (isForGood) {
            ((LongConsumer) carried.recording).accept(time);
        } else {
            serial = carried.recording.applyAsLong(time);
            stack = contexts.stack();
        }
    }

    /** Ends contexts, and restores those that the thread had before. Null: does nothing. */
    static void end(TakenUp takenUp) {
        if (takenUp != null && Agent.isActive) {
            takenUp.endAll();
        }
    }

    private void endAll() {
        long time = JVM.counterTime();
        try {
            if (stack != null) {
                ((LongBinaryOperator) stack).applyAsLong(serial, time);
            }
        } catch (VirtualMachineError | LinkageError e) {
            RingOwners.countDropped();
        }
        try {
            change(carried, null, before, time);
        } catch (VirtualMachineError | LinkageError e) {
            RingOwners.countDropped();
            unsetAll(time);
        }
    }

    // The thread has no context rather than a wrong one. This allocates nothing.
    private void unsetAll(long time) {
        try {
            unsetAll(carried, time);
            unsetAll(before, time);
        } catch (VirtualMachineError e) { // of the stack being too small
            OpenContexts.loseTrack(); // whose contexts are ended already
            throw e;
        }
    }

    private void unsetAll(Carried all, long time) {
        for (int typeId : all.typeIds) {
            unset(typeId, time);
        }
    }

    // Ends contexts unless that has happened, and begins others. handOver: recorded before, unless
    // it is a stage; null for none
    private void change(Carried from, HandOver handOver, Carried to, long time) {
        long ended = from.types & contexts.open() & ~to.types;
        boolean isRecorded = handOver != null && handOver.ticks != 0;
        ContextLayout moment = isRecorded ? HandOver.layout() : null;
        contexts.endAllOf(ended, time);
        contexts.borrow(to, to.types);
        boolean isDone;
        if (moment != null) {
            isDone = Rings.change(
                    moment.id, handOver.thread, handOver.ticks, ended, to.typeIds, to.words, time);
        } else if ((ended | to.types) != 0) {
            isDone = Rings.change(0, 0, 0, ended, to.typeIds, to.words, time);
        } else {
            isDone = true;
        }
        if (!isDone) {
            changeOneByOne(ended, handOver, moment, to, time);
        }
    }

    // For a thread without a ring, or whose ring has too little room.
    private void changeOneByOne(
            long ended, HandOver handOver, ContextLayout moment, Carried to, long time) {
        if (moment != null) {
            Rings.set(moment, handOver, time);
        }
        for (long left = ended; left != 0; left &= left - 1) {
            Rings.unset(1 + Long.numberOfTrailingZeros(left), time);
        }
        for (int i = 0; i < to.typeIds.length; i++) {
            Rings.set(to.layouts[i], to.words[i], time);
        }
    }

    private void unset(int typeId, long time) {
        contexts.endAllOf(1L << (typeId - 1), time);
        Rings.unset(typeId, time);
    }
}
