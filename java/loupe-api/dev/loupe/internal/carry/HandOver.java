// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import dev.loupe.internal.Rings;
import dev.loupe.internal.agent.Native;
import dev.loupe.internal.ring.ContextLayout;
import dev.loupe.internal.ring.RingLayout;
import dev.loupe.internal.ring.RingOwners;
import jdk.internal.misc.Unsafe;
import jdk.jfr.internal.JVM;

/**
 * Who handed a task over, when, and with which contexts. The thread that takes the task up records
 * it, so that it is known how long the task has waited.
 */
class HandOver {
    final Carried carried;
    // Recorded.
    private final long thread;
    private final long ticks;

    HandOver(Carried carried) {
        this.carried = carried;
        this.thread = RingOwners.idOf(Thread.currentThread());
        this.ticks = JVM.counterTime();
    }

    // The type is registered with the first task that is taken up.
    private static final class Type {
        static final ContextLayout LAYOUT = layout(); // null: there is no room for it

        private static ContextLayout layout() {
            int id = Native.registerHandOverType();
            if (id <= 0) {
                Native.log(Native.LOG_WARN,
                        "hand-overs of tasks are not recorded: there is no place for their type");
                return null;
            }
            Unsafe unsafe = Unsafe.getUnsafe();
            return ContextLayout.ofMoments(id,
                    new int[] {RingLayout.KIND_LONG, RingLayout.KIND_LONG},
                    new long[] {unsafe.objectFieldOffset(HandOver.class, "thread"),
                            unsafe.objectFieldOffset(HandOver.class, "ticks")});
        }
    }

    /** Records that the current thread takes the task up. */
    final void record(long time) {
        if (Type.LAYOUT != null) {
            Rings.set(Type.LAYOUT, this, time);
        }
    }
}
