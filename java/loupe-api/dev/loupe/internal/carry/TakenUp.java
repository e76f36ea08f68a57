// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import dev.loupe.internal.Agent;
import dev.loupe.internal.Rings;
import dev.loupe.internal.ring.OpenContexts;
import dev.loupe.internal.ring.WordLayouts;
import jdk.jfr.internal.JVM;

/** The contexts of a task on the thread that runs it, from before its begin until after its end. */
final class TakenUp {
    private final OpenContexts contexts; // of the thread
    private final Carried carried;
    private AutoCloseable recording; // null: there is none
    private final long[][] before; // earlier contexts of the same types; null: none

    private TakenUp(OpenContexts contexts, Carried carried, long[][] before) {
        this.contexts = contexts;
        this.carried = carried;
        this.before = before;
    }

    /**
     * Begins contexts on the current thread.
     *
     * @return what ends them; null if the thread has just these, the agent is off, or memory is
     *         short: then the task runs without
     */
    static TakenUp begin(HandOver handOver) {
        if (handOver == null || !Agent.isActive) {
            return null;
        }
        Carried carried = handOver.carried;
        OpenContexts contexts = OpenContexts.findOrMake();
        if (contexts.taken() == carried) {
            return null;
        }
        try {
            boolean wasEmpty = contexts.open() == 0;
            TakenUp takenUp = new TakenUp(
                    contexts, carried, wasEmpty ? null : wordsBefore(contexts, carried));
            takenUp.beginAll(handOver);
            if (wasEmpty) { // the task hands over the same contexts
                contexts.setTaken(carried);
            }
            return takenUp;
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    // If one context fails, this ends the others: no context stays on the thread.
    private void beginAll(HandOver handOver) {
        long time = JVM.counterTime();
        try {
            handOver.record(time);
            for (int i = 0; i < carried.typeIds.length; i++) {
                set(carried.typeIds[i], carried.words[i], time);
            }
            recording = carried.recording == null ? null : carried.recording.get();
        } catch (Throwable e) {
            end();
            throw e;
        }
    }

    private static long[][] wordsBefore(OpenContexts contexts, Carried carried) {
        long[][] before = new long[carried.typeIds.length][];
        for (int i = 0; i < before.length; i++) {
            int typeId = carried.typeIds[i];
            before[i] = contexts.isOpen(typeId) ? contexts.wordsOf(typeId) : null;
        }
        return before;
    }

    /** Ends them, and restores the contexts that the thread had before. */
    void end() {
        if (!Agent.isActive) {
            return;
        }
        close(recording);
        long time = JVM.counterTime();
        for (int i = 0; i < carried.typeIds.length; i++) {
            int typeId = carried.typeIds[i];
            if (before != null && before[i] != null) {
                set(typeId, before[i], time);
            } else if (contexts.isOpen(typeId)) {
                contexts.endOf(typeId);
                Rings.unset(typeId, time);
            }
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

    private void set(int typeId, long[] words, long time) {
        contexts.beginWith(typeId, words);
        Rings.set(WordLayouts.of(typeId, words.length), words, time);
    }
}
