// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

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
    private static volatile ContextLayout typeLayout; // null: not registered
    private static volatile boolean isRefused; // there is no room for the type

    final Carried carried;
    final long thread;
    final long ticks; // 0: it is a stage, which waits for another one and not for a thread

    HandOver(Carried carried, boolean isStage) {
        this.carried = carried;
        this.thread = isStage ? 0 : RingOwners.idOf(Thread.currentThread());
        this.ticks = isStage ? 0 : JVM.counterTime();
    }

    /** Returns the type of the records of hand-overs; null if there is no room for it. */
    static ContextLayout layout() {
        ContextLayout layout = typeLayout;
        return layout == null && !isRefused ? register() : layout;
    }

    // Registers the type, with the first task that is taken up. Not as a class is initialised:
    // where memory is short that fails for good, while this is tried again. Threads that come
    // together get the same type.
    private static ContextLayout register() {
        int id = Native.registerHandOverType();
        if (id <= 0) {
            isRefused = true;
            Native.log(Native.LOG_WARN,
                    "hand-overs of tasks are not recorded: there is no place for their type");
            return null;
        }
        Unsafe unsafe = Unsafe.getUnsafe();
        ContextLayout layout =
                ContextLayout.ofMoments(id, new int[] {RingLayout.KIND_LONG, RingLayout.KIND_LONG},
                        new long[] {unsafe.objectFieldOffset(HandOver.class, "thread"),
                                unsafe.objectFieldOffset(HandOver.class, "ticks")});
        typeLayout = layout;
        return layout;
    }
}
