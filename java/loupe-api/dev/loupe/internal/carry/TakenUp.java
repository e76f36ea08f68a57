// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import dev.loupe.internal.Agent;
import dev.loupe.internal.Recordings;
import dev.loupe.internal.Rings;
import dev.loupe.internal.ring.OpenContexts;
import dev.loupe.internal.ring.RingOwners;
import dev.loupe.internal.ring.WordLayouts;
import java.util.function.Function;
import jdk.jfr.internal.JVM;

/**
 * The contexts of a task on the thread that runs it, from before its begin until after its end. The
 * thread has no others meanwhile.
 */
final class TakenUp {
    private final OpenContexts contexts; // of the thread
    private final Carried carried;
    private final Carried before; // what the thread has otherwise, but for its RecordingContext
    private AutoCloseable recording; // null: the thread has none, and neither has the task

    private TakenUp(OpenContexts contexts, Carried carried) {
        this.contexts = contexts;
        this.carried = carried;
        this.before = Carried.of(contexts, null);
    }

    /**
     * Begins contexts on the current thread.
     *
     * @return what ends them; null if the thread has just these, the agent is off, or memory or
     *         stack are short: then the task runs without, which is counted
     */
    static TakenUp begin(HandOver handOver) {
        if (handOver == null || !Agent.isActive) {
            return null;
        }
        try {
            return begin(handOver, OpenContexts.findOrMake());
        } catch (VirtualMachineError | LinkageError e) {
            RingOwners.countDropped();
            return null;
        }
    }

    private static TakenUp begin(HandOver handOver, OpenContexts contexts) {
        Carried carried = handOver.carried;
        if (contexts.taken() == carried) {
            return null;
        }
        TakenUp takenUp = new TakenUp(contexts, carried);
        takenUp.beginAll(handOver);
        contexts.setTaken(carried); // the task hands over the same contexts
        return takenUp;
    }

    // If one context fails, this ends the others: no context stays on the thread.
    private void beginAll(HandOver handOver) {
        long time = JVM.counterTime();
        try {
            handOver.record(time);
            change(before, carried, time);
            recording = carried.recording != null ? carried.recording.get() : hideRecording();
        } catch (Throwable e) {
            end();
            throw e;
        }
    }

    @SuppressWarnings("unchecked") // Recordings.set has put it there
    private AutoCloseable hideRecording() {
        return contexts.isOpen(Recordings.typeId())
                ? ((Function<Object, AutoCloseable>) contexts.stack()).apply(null)
                : null;
    }

    /** Ends them, and restores the contexts that the thread had before. */
    void end() {
        if (!Agent.isActive) {
            return;
        }
        try {
            close(recording);
        } catch (VirtualMachineError | LinkageError e) {
            RingOwners.countDropped();
        }
        try {
            change(carried, before, JVM.counterTime());
        } catch (VirtualMachineError | LinkageError e) {
            RingOwners.countDropped();
            endAll();
        }
    }

    // The thread has no context rather than a wrong one. This allocates nothing.
    private void endAll() {
        long time = JVM.counterTime();
        for (int typeId : carried.typeIds) {
            unset(typeId, time);
        }
        for (int typeId : before.typeIds) {
            unset(typeId, time);
        }
    }

    private static void close(AutoCloseable recording) {
        try {
            if (recording != null) {
                recording.close();
            }
        } catch (Exception e) {
            throw new AssertionError(e); // an Activation throws none
        }
    }

    // Ends contexts unless that has happened, and begins others.
    private void change(Carried from, Carried to, long time) {
        for (int typeId : from.typeIds) {
            if (contexts.isOpen(typeId) && !to.has(typeId)) {
                unset(typeId, time);
            }
        }
        for (int i = 0; i < to.typeIds.length; i++) {
            set(to.typeIds[i], to.words[i], time);
        }
    }

    private void set(int typeId, long[] words, long time) {
        contexts.beginWith(typeId, words);
        Rings.set(WordLayouts.of(typeId, words.length), words, time);
    }

    private void unset(int typeId, long time) {
        contexts.endOf(typeId);
        Rings.unset(typeId, time);
    }
}
