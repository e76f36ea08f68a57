// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import dev.loupe.internal.Agent;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The contexts of tasks that wait in a queue without a wrapper. A task that was handed over in two
 * different states carries no contexts: nothing tells which run belongs to which state.
 *
 * <p>A table has {@link #BUCKETS} lists of at most {@link #BUCKET_MAX} tasks each, by identity.
 * Lists are immutable: one compare-and-set replaces a list, so that several threads can hand over
 * and run one task at once. Tasks that never run leave the table once they are
 * unreachable.
 */
final class PendingTasks {
    static final int TASKS_MAX = 1 << 16;
    private static final int BUCKET_MAX = 16;
    private static final int BUCKETS = TASKS_MAX / BUCKET_MAX;

    private static final ReferenceQueue<Object> UNREACHABLE = new ReferenceQueue<>();
    // Whether tasks wait. A count would be a place that all threads write. A new task sets USED.
    // The check every second makes USED FADING, and FADING EMPTY if no task has come and none
    // waits.
    private static final int EMPTY = 0;
    private static final int USED = 1;
    private static final int FADING = 2;
    private static final AtomicInteger STATE = new AtomicInteger(EMPTY);

    /**
     * Its initialisation makes the table, which a JVM that carries nothing does not need. An entry
     * that is replaced or taken is unreachable itself, and so never comes to the queue.
     */
    static final class Table {
        static final AtomicReferenceArray<Entry> HEADS = new AtomicReferenceArray<>(BUCKETS);
    }

    private static final class Entry extends WeakReference<Object> {
        final int bucket;
        final Entry next;
        final HandOver handOver; // null: that is ambiguous
        final int runs; // how often the task was handed over, and has neither run nor been given
                        // back. 0: its pool has refused it
        final boolean isRemoved; // since it was handed over last

        Entry(Object task, int bucket, Entry next, HandOver handOver, int runs, boolean isRemoved) {
            super(task, UNREACHABLE);
            this.bucket = bucket;
            this.next = next;
            this.handOver = handOver;
            this.runs = runs;
            this.isRemoved = isRemoved;
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
        int bucket = bucketOf(task);
        for (;;) {
            Entry head = Table.HEADS.get(bucket);
            Entry before = find(head, task);
            if (before == null && (handOver == null || isFull(head))) {
                return handOver == null;
            }
            Entry rest = before == null ? head : without(head, before);
            if (replace(bucket, head, add(task, bucket, rest, before, handOver))) {
                return true;
            }
        }
    }

    // Returns the list with one hand-over more of a task. before: its entry, which is not in rest
    private static Entry add(Object task, int bucket, Entry rest, Entry before, HandOver handOver) {
        if (before != null && before.runs > 0) {
            return new Entry(
                    task, bucket, rest, both(before.handOver, handOver), before.runs + 1, false);
        }
        return handOver == null ? rest : new Entry(task, bucket, rest, handOver, 1, false);
    }

    /** Takes the contexts of a task that runs now; null if it has none. */
    static HandOver take(Object task) {
        if (isEmpty()) {
            return null;
        }
        int bucket = bucketOf(task);
        for (;;) {
            Entry head = Table.HEADS.get(bucket);
            Entry entry = find(head, task);
            if (entry == null) {
                return null;
            }
            Entry rest = without(head, entry);
            Entry left = entry.runs <= 1 ? rest
                                         : new Entry(task, bucket, rest, entry.handOver,
                                                 entry.runs - 1, entry.isRemoved);
            if (replace(bucket, head, left)) {
                return entry.handOver;
            }
        }
    }

    /** Notes that a pool has removed a task from its queue: one run is not due any more. */
    static void remove(Object task) {
        giveBack(task, true);
    }

    /**
     * Notes that a pool refuses a task: one run is not due any more, unless the pool has just
     * removed it for that. A handler may put the task into the queue all the same.
     */
    static void refuse(Object task) {
        giveBack(task, false);
    }

    private static void giveBack(Object task, boolean isRemoved) {
        if (isEmpty()) {
            return;
        }
        int bucket = bucketOf(task);
        for (;;) {
            Entry head = Table.HEADS.get(bucket);
            Entry entry = find(head, task);
            if (entry == null || entry.runs == 0 || entry.isRemoved && !isRemoved) {
                return;
            }
            Entry rest = without(head, entry);
            Entry left = isRemoved && entry.runs == 1
                    ? rest
                    : new Entry(task, bucket, rest, entry.handOver, entry.runs - 1, isRemoved);
            if (replace(bucket, head, left)) {
                return;
            }
        }
    }

    // Returns the later hand-over if both have the same contexts, else null.
    private static HandOver both(HandOver one, HandOver other) {
        return one != null && other != null && one.carried == other.carried ? other : null;
    }

    private static boolean replace(int bucket, Entry before, Entry list) {
        if (!Table.HEADS.compareAndSet(bucket, before, list)) {
            return false;
        }
        if (list != null && STATE.get() != USED) {
            STATE.set(USED); // before anybody can take the task up
        }
        return true;
    }

    private static int bucketOf(Object task) {
        int hash = System.identityHashCode(task);
        return (hash ^ hash >>> 15) & BUCKETS - 1;
    }

    private static Entry find(Entry head, Object task) {
        Entry entry = head;
        while (entry != null && !entry.refersTo(task)) {
            entry = entry.next;
        }
        return entry;
    }

    private static boolean isFull(Entry head) {
        int count = 0;
        for (Entry entry = head; entry != null; entry = entry.next) {
            count++;
        }
        return count >= BUCKET_MAX;
    }

    // Returns the list without one of its entries: those before it are copied.
    private static Entry without(Entry head, Entry entry) {
        if (head == entry) {
            return entry.next;
        }
        Entry rest = without(head.next, entry);
        Object task = head.get();
        return task == null
                ? rest
                : new Entry(task, head.bucket, rest, head.handOver, head.runs, head.isRemoved);
    }

    /** Looks whether no task waits any more. Called now and then, by one thread. */
    static void look() {
        if (STATE.get() == EMPTY || STATE.compareAndSet(USED, FADING)) {
            return;
        }
        boolean isAny = false;
        for (int i = 0; i < BUCKETS; i++) {
            Entry dead = findDead(Table.HEADS.get(i)); // where memory was short there may be some
            if (dead != null) {
                remove(dead);
            }
            isAny |= Table.HEADS.get(i) != null;
        }
        if (isAny) {
            return;
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
        for (int i = 0; i < BUCKETS; i++) {
            Table.HEADS.set(i, null);
        }
        STATE.set(EMPTY);
    }

    private static void removeUnreachable() {
        for (Reference<?> r = UNREACHABLE.poll(); r != null; r = UNREACHABLE.poll()) {
            remove((Entry) r);
        }
    }

    private static void remove(Entry entry) {
        boolean isDone = false;
        while (!isDone) {
            Entry head = Table.HEADS.get(entry.bucket);
            isDone = !contains(head, entry)
                    || Table.HEADS.compareAndSet(entry.bucket, head, without(head, entry));
        }
    }

    private static Entry findDead(Entry head) {
        Entry found = head;
        while (found != null && !found.refersTo(null)) {
            found = found.next;
        }
        return found;
    }

    private static boolean contains(Entry head, Entry entry) {
        Entry found = head;
        while (found != null && found != entry) {
            found = found.next;
        }
        return found != null;
    }
}
