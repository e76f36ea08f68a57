// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import dev.loupe.internal.Agent;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The contexts of tasks that wait in a queue without a wrapper.
 * A task that was handed over in two different states has none, as nobody knows which run is which.
 *
 * <p>A table of {@link #TASKS_MAX} tasks by identity, each in one of the {@link #PLACES} places
 * that follow from its hash code. It takes no lock. Tasks that never run leave it once they are
 * unreachable.
 */
final class PendingTasks {
    static final int TASKS_MAX = 1 << 14;
    private static final int PLACES = 16;
    private static final int TRIES = 64; // to change a place that others change as well

    private static final ReferenceQueue<Object> UNREACHABLE = new ReferenceQueue<>();
    // Whether there are any. A count would be a place that all threads write. USED while tasks
    // come; who looks every second makes that FADING, and then EMPTY if none has come meanwhile and
    // none is there.
    private static final int EMPTY = 0;
    private static final int USED = 1;
    private static final int FADING = 2;
    private static final AtomicInteger STATE = new AtomicInteger(EMPTY);

    /**
     * Its initialisation makes the table, which a JVM that carries nothing does not need. An entry
     * that is replaced or taken is unreachable itself, and so never comes to the queue.
     */
    static final class Table {
        static final AtomicReferenceArray<Entry> ENTRIES = new AtomicReferenceArray<>(TASKS_MAX);
    }

    private static final class Entry extends WeakReference<Object> {
        final int place;
        final HandOver handOver; // null: that is ambiguous
        final int runs; // how often the task was handed over, and has not run

        Entry(Object task, int place, HandOver handOver, int runs) {
            super(task, UNREACHABLE);
            this.place = place;
            this.handOver = handOver;
            this.runs = runs;
        }
    }

    private PendingTasks() {}

    /** Returns whether no task waits with contexts. */
    static boolean isEmpty() {
        return STATE.get() == EMPTY;
    }

    /**
     * Notes that a task is handed over.
     *
     * @param handOver null: without contexts
     * @return false if there is no place for it; true also while the agent is off, which needs none
     */
    static boolean put(Object task, HandOver handOver) {
        if (!Agent.isActive) {
            return true;
        }
        removeUnreachable();
        for (int i = 0; i < TRIES; i++) {
            Entry before = find(task);
            if (before == null && handOver == null) {
                return true;
            }
            int place = before != null ? before.place : findFree(task);
            if (place < 0) {
                return false;
            }
            Entry entry = before == null
                    ? new Entry(task, place, handOver, 1)
                    : new Entry(task, place, both(before.handOver, handOver), before.runs + 1);
            if (replace(place, before, entry)) {
                return true;
            }
        }
        return false;
    }

    /** Takes the contexts of a task that runs now, or never will; null if it has none. */
    static HandOver take(Object task) {
        if (isEmpty()) {
            return null;
        }
        for (int i = 0; i < TRIES; i++) {
            Entry entry = find(task);
            if (entry == null) {
                return null;
            }
            Entry next = entry.runs == 1
                    ? null
                    : new Entry(task, entry.place, entry.handOver, entry.runs - 1);
            if (replace(entry.place, entry, next)) {
                return entry.handOver;
            }
        }
        return null;
    }

    // Returns the later hand-over if both have the same contexts, else null.
    private static HandOver both(HandOver one, HandOver other) {
        return one != null && other != null && one.carried == other.carried ? other : null;
    }

    private static boolean replace(int place, Entry before, Entry entry) {
        if (!Table.ENTRIES.compareAndSet(place, before, entry)) {
            return false;
        }
        if (entry != null && STATE.get() != USED) {
            STATE.set(USED); // before anybody can take the task up
        }
        return true;
    }

    private static int firstPlaceOf(Object task) {
        int hash = System.identityHashCode(task);
        return (hash ^ hash >>> 15) & TASKS_MAX - 1;
    }

    private static Entry find(Object task) {
        int first = firstPlaceOf(task);
        for (int i = 0; i < PLACES; i++) {
            Entry entry = Table.ENTRIES.get(first + i & TASKS_MAX - 1);
            if (entry != null && entry.refersTo(task)) {
                return entry;
            }
        }
        return null;
    }

    private static int findFree(Object task) {
        int first = firstPlaceOf(task);
        for (int i = 0; i < PLACES; i++) {
            int place = first + i & TASKS_MAX - 1;
            if (Table.ENTRIES.get(place) == null) {
                return place;
            }
        }
        return -1;
    }

    /** Looks whether no task waits any more. Called now and then, by one thread. */
    static void look() {
        if (STATE.get() == EMPTY || STATE.compareAndSet(USED, FADING)) {
            return;
        }
        removeUnreachable();
        for (int i = 0; i < TASKS_MAX; i++) {
            if (Table.ENTRIES.get(i) != null) {
                return;
            }
        }
        STATE.compareAndSet(FADING, EMPTY); // or a task has come
    }

    /**
     * Forgets all tasks, for the agent has turned itself off. A task that a thread is just putting
     * in may stay: it harms nobody.
     */
    static void clear() {
        if (STATE.get() == EMPTY) {
            return;
        }
        for (int i = 0; i < TASKS_MAX; i++) {
            Table.ENTRIES.set(i, null);
        }
        STATE.set(EMPTY);
    }

    private static void removeUnreachable() {
        for (Reference<?> r = UNREACHABLE.poll(); r != null; r = UNREACHABLE.poll()) {
            Entry entry = (Entry) r;
            Table.ENTRIES.compareAndSet(entry.place, entry, null);
        }
    }
}
