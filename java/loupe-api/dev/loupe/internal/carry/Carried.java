// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import dev.loupe.internal.Agent;
import dev.loupe.internal.Recordings;
import dev.loupe.internal.ring.ContextLayout;
import dev.loupe.internal.ring.OpenContexts;
import dev.loupe.internal.ring.WordLayouts;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * The contexts that a thread had as it handed over a task. Nothing of it changes; tasks share it as
 * long as the thread keeps its contexts.
 */
final class Carried implements OpenContexts.Lender {
    /** No contexts, and that is certain. */
    static final Carried NOTHING = new Carried(0, new int[0], new long[0][], null);

    final long types; // of ContextType and ContextAccess: bit (type id - 1)
    final int[] typeIds; // the same
    final long[][] words; // the values of each
    final ContextLayout[] layouts; // of these words: a task's end must not need memory for them
    final LongUnaryOperator recording; // installs the RecordingContext; null: there is none

    private Carried(long types, int[] typeIds, long[][] words, LongUnaryOperator recording) {
        this.types = types;
        this.typeIds = typeIds;
        this.words = words;
        this.layouts = new ContextLayout[words.length];
        for (int i = 0; i < words.length; i++) {
            layouts[i] = WordLayouts.of(typeIds[i], words[i].length);
        }
        this.recording = recording;
    }

    /** Returns the open contexts of the current thread; null if there are none to carry. */
    static OpenContexts findSource() {
        OpenContexts contexts = Agent.isActive ? OpenContexts.find() : null;
        return contexts == null || contexts.open() == 0 || contexts.isHeldBack() ? null : contexts;
    }

    /** Returns the contexts for a task that the current thread hands over; null for none. */
    static Carried take(OpenContexts contexts) {
        OpenContexts.Lender lender = contexts.lender();
        return lender != null ? (Carried) lender : takeNew(contexts);
    }

    private static Carried takeNew(OpenContexts contexts) {
        int recordingType = Recordings.typeId();
        LongUnaryOperator recording = contexts.isOpen(recordingType) ? recordingOf(contexts) : null;
        Carried carried = of(contexts, recording);
        if (carried == NOTHING) {
            return null;
        }
        contexts.setLender(carried);
        return carried;
    }

    /** Returns the contexts of the current thread, with this in place of its RecordingContext. */
    static Carried of(OpenContexts contexts, LongUnaryOperator recording) {
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

    @Override
    public long[] wordsOf(int typeId) {
        return words[Long.bitCount(types & (1L << (typeId - 1)) - 1)];
    }

    @SuppressWarnings("unchecked") // as Recordings.set has it
    private static LongUnaryOperator recordingOf(OpenContexts contexts) {
        return ((Supplier<LongUnaryOperator>) contexts.stack()).get();
    }
}
