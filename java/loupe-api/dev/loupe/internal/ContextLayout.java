// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

/**
 * A registered context type as the writer of records needs it. Refers to no class of the
 * application.
 */
final class ContextLayout {
    // Kinds of attributes: ctx_kind of ctx_record.h.
    static final int BOOLEAN = 1;
    static final int BYTE = 2;
    static final int CHAR = 3;
    static final int SHORT = 4;
    static final int INT = 5;
    static final int LONG = 6;
    static final int FLOAT = 7;
    static final int DOUBLE = 8;
    static final int STRING = 9;
    static final int HEX = 10; // known to the agent only: the values are those of LONG

    // Limits on attributes: of ctx_record.h, too.
    static final int ATTRIBUTES_MAX = 16; // of a type
    static final int ALL_ATTRIBUTES_MAX = 32; // of all types of a JVM together
    static final int TYPES_MAX = ALL_ATTRIBUTES_MAX + 1; // of a JVM

    final int id; // 1 and up
    final int[] kinds;
    final long[] offsets; // of the fields, for Unsafe
    final boolean hasSequences; // a STRING may be another CharSequence than String

    ContextLayout(int id, int[] kinds, long[] offsets, boolean hasSequences) {
        this.id = id;
        this.kinds = kinds;
        this.offsets = offsets;
        this.hasSequences = hasSequences;
    }
}
