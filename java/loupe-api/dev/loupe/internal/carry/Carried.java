// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import dev.loupe.internal.Agent;
import dev.loupe.internal.Recordings;
import dev.loupe.internal.ring.OpenContexts;
import dev.loupe.internal.ring.RingOwners;
import java.util.function.Supplier;

/**
 * The contexts that a thread had as it handed over a task. Nothing of it changes; tasks share it as
 * long as the thread keeps its contexts.
 */
final class Carried {
    /** No contexts, and that is certain. */
    static final Carried NOTHING = new Carried(0, new int[0], new long[0][], null);

    private final long types; // of ContextType and ContextAccess: bit (type id - 1)
    final int[] typeIds; // the same
    final long[][] words; // the values of each
    final Supplier<AutoCloseable> recording; // installs the RecordingContext; null: there is none

    private Carried(long types, int[] typeIds, long[][] words, Supplier<AutoCloseable> recording) {
        this.types = types;
        this.typeIds = typeIds;
        this.words = words;
        this.recording = recording;
    }

    /** Returns the contexts of the current thread; null if it has none, or memory is short. */
    static Carried take() {
        OpenContexts contexts = Agent.isActive ? OpenContexts.find() : null;
        if (contexts == null || contexts.open() == 0 || contexts.isHeldBack()) {
            return null;
        }
        Object taken = contexts.taken();
        try {
            return taken != null ? (Carried) taken : takeNew(contexts);
        } catch (VirtualMachineError | LinkageError e) {
            RingOwners.countDropped(); // the task goes without
            return null;
        }
    }

    private static Carried takeNew(OpenContexts contexts) {
        int recordingType = Recordings.typeId();
        Supplier<AutoCloseable> recording =
                contexts.isOpen(recordingType) ? recordingOf(contexts) : null;
        Carried carried = of(contexts, recording);
        if (carried == NOTHING) {
            return null;
        }
        contexts.setTaken(carried);
        return carried;
    }

    /** Returns the contexts of the current thread, with this in place of its RecordingContext. */
    static Carried of(OpenContexts contexts, Supplier<AutoCloseable> recording) {
        long types = contexts.open() & ~(1L << (Recordings.typeId() - 1)); // no id: no bit
        if (types == 0 && recording == null) {
            return NOTHING;
        }
        long open = types;
        int[] typeIds = new int[Long.bitCount(open)];
        long[][] words = new long[typeIds.length][];
        for (int i = 0; i < typeIds.length; i++, open &= open - 1) {
            typeIds[i] = 1 + Long.numberOfTrailingZeros(open);
            words[i] = contexts.wordsOf(typeIds[i]);
        }
        return new Carried(types, typeIds, words, recording);
    }

    /** Returns whether there is a context of a type. */
    boolean has(int typeId) {
        return (types & 1L << (typeId - 1)) != 0;
    }

    @SuppressWarnings("unchecked") // Recordings.set has put it there
    private static Supplier<AutoCloseable> recordingOf(OpenContexts contexts) {
        return ((Supplier<Supplier<AutoCloseable>>) contexts.stack()).get();
    }
}
