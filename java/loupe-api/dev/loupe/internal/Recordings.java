// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import dev.loupe.internal.agent.Native;
import dev.loupe.internal.ring.ContextLayout;
import dev.loupe.internal.ring.OpenContexts;
import dev.loupe.internal.ring.RingLayout;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import jdk.internal.misc.Unsafe;

/**
 * The recorded side of RecordingContexts. Each map that is recorded has a handle with its id; to
 * install it is to set a context of a built-in type with that id, and with the id of the request to
 * which the context belongs. Maps with the same entries may have one id. A map for which there is
 * no place has a handle, too, with id 0: its context has no entries then, but still counts as a
 * context of its events.
 *
 * <p>A map is released when it has no users any more. Its users are the thread that made it, until
 * the thread gives the handle back or ends, and the tasks that run with it. Waiting tasks are no
 * users: if a task needs a released map, it is created anew. To make this rare, the last
 * {@link #RESTING_MAX} maps of tasks stay for a second or two. A shared handle is released when it
 * is unreachable. Setting, using and giving back take no lock and allocate nothing.
 *
 * <p>There may be more than one copy of the API, see {@link Agent}: its classes hold handles as
 * objects.
 */
public final class Recordings {
    /** A time: now. */
    public static final long NOW = Rings.NOW;

    // Maps without users that are not released yet.
    private static final int RESTING_MAX = 1 << 13;

    private static boolean hasMaps; // every thread that got a handle sees true

    private static final ReferenceQueue<Object> UNREACHABLE = new ReferenceQueue<>();
    private static final Set<Life> LIVES = ConcurrentHashMap.newKeySet();
    private static final AtomicReference<Handle> GIVEN_BACK = new AtomicReference<>();
    private static final AtomicReferenceArray<Handle> RESTING =
            new AtomicReferenceArray<>(RESTING_MAX);
    private static final AtomicInteger NEXT_RESTING = new AtomicInteger();
    private static final AtomicLong NEXT_REQUEST = new AtomicLong(2);

    private static volatile int round; // of endRests
    private static volatile boolean mayRest; // RESTING may have maps

    private static volatile int typeId;

    private Recordings() {}

    // The type is registered when the first map is made.
    private static final class Type {
        static final ContextLayout LAYOUT = layout(); // null: there is no room for it
    }

    private static final class Handle {
        private static final Unsafe UNSAFE = Unsafe.getUnsafe();
        private static final long USERS = UNSAFE.objectFieldOffset(Handle.class, "users");
        private static final long IS_RESTING = UNSAFE.objectFieldOffset(Handle.class, "isResting");
        private static final int SHARED = 1 << 30; // a user that never ends
        private static final int RELEASED = Integer.MIN_VALUE;

        final long id; // 0: there was no place for the map
        final long request;
        private volatile int users = 1;
        private volatile int isResting; // 0 or 1: is in RESTING
        private int restsSince; // a round
        private boolean isCarried; // tasks may use it when it has no users any more
        private Handle nextGivenBack;

        Handle(long id, long request) {
            this.id = id;
            this.request = request;
        }

        /** Adds a user. Returns false if it was released. */
        boolean add() {
            for (;;) {
                int before = users;
                if (before < 0) {
                    return false;
                }
                if (UNSAFE.compareAndSetInt(this, USERS, before, before + 1)) {
                    return true;
                }
            }
        }

        /** Returns whether it was not shared before. */
        boolean share() {
            for (;;) {
                int before = users;
                if (before < 0 || before >= SHARED) {
                    return false;
                }
                if (UNSAFE.compareAndSetInt(this, USERS, before, before + SHARED)) {
                    return true;
                }
            }
        }

        /** Removes a user. Returns whether that was the last one. */
        boolean remove() {
            return UNSAFE.getAndAddInt(this, USERS, -1) == 1;
        }

        /** Returns whether it had no users: it gets none any more. */
        boolean end() {
            return UNSAFE.compareAndSetInt(this, USERS, 0, RELEASED);
        }

        /** Returns whether it did not rest before. */
        boolean rest() {
            restsSince = round;
            return isResting == 0 && UNSAFE.compareAndSetInt(this, IS_RESTING, 0, 1);
        }
    }

    // Outlives what may install maps, and releases those then.
    private abstract static class Life extends PhantomReference<Object> {
        Life(Object user) {
            super(user, UNREACHABLE);
            LIVES.add(this);
        }

        abstract void end();
    }

    private static final class SharedLife extends Life {
        private final long id;

        SharedLife(Handle handle) {
            super(handle);
            this.id = handle.id;
        }

        @Override
        void end() {
            Native.releaseRecording(id);
        }
    }

    private static final class StackLife extends Life {
        private final Object[] owned;

        StackLife(Object stack, Object[] owned) {
            super(stack);
            this.owned = owned;
        }

        @Override
        void end() {
            for (Object handle : (Object[]) owned[0]) {
                if (handle != null) {
                    release(handle);
                }
            }
        }
    }

    /** Returns the id of a new request of which no root says when it begins and ends. */
    public static long newRequest() {
        return NEXT_REQUEST.getAndAdd(2);
    }

    /**
     * Records a map.
     *
     * @param request the id of the request to which its context belongs; 0: none
     * @return its handle, with one user; null if nothing is recorded
     */
    public static Object create(String[] names, String[] values, long request) {
        if (Type.LAYOUT == null) {
            return null;
        }
        releaseAll();
        hasMaps = true;
        long id = Native.addRecording(pack(names, values));
        try {
            return new Handle(id, request);
        } catch (OutOfMemoryError e) {
            if (id != 0) {
                Native.releaseRecording(id);
            }
            throw e;
        }
    }

    // As Native.addRecording has it.
    private static byte[] pack(String[] names, String[] values) {
        byte[][] texts = new byte[2 * names.length][];
        int size = 0;
        for (int i = 0; i < names.length; i++) {
            texts[2 * i] = Native.utf8(names[i]);
            texts[2 * i + 1] = values[i] == null ? null : Native.utf8(values[i]);
        }
        for (byte[] text : texts) {
            size += Integer.BYTES + (text == null ? 0 : text.length) + 1;
        }
        ByteBuffer packed = ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
        for (byte[] text : texts) {
            packed.putInt(text == null ? -1 : text.length);
            if (text != null) {
                packed.put(text);
            }
            packed.put((byte) 0);
        }
        return packed.array();
    }

    /**
     * Gives back the handles of a thread once its stack of installations is unreachable.
     *
     * @param owned an array of one: the array of the handles that it has not given back
     */
    public static void watch(Object stack, Object[] owned) {
        new StackLife(stack, owned);
    }

    /** Releases a handle once it is unreachable, and not before. It has a user. */
    public static void share(Object handle) {
        if (isLost(handle)) {
            return;
        }
        Life life = new SharedLife((Handle) handle); // first: there may be no memory for it
        if (!((Handle) handle).share()) {
            life.clear();
            LIVES.remove(life);
        }
    }

    /** Adds a user to a handle. Returns false if its map was released. */
    public static boolean use(Object handle) {
        return isLost(handle) || ((Handle) handle).add();
    }

    // Such a handle has no users.
    private static boolean isLost(Object handle) {
        return ((Handle) handle).id == 0;
    }

    /** Notes that tasks may use a handle when its context is closed. It has a user. */
    public static void noteCarried(Object handle) {
        if (handle != null) {
            ((Handle) handle).isCarried = true;
        }
    }

    /**
     * Installs a map on the current thread.
     *
     * @param stack the installations of the thread, of these types of the JDK: <ul>
     *         <li>{@code Supplier}: returns the context on top. This context is a {@code
     *         LongUnaryOperator}: it installs itself on the current thread at a time, and returns a
     *         serial number. It is a {@code LongConsumer}, too: it installs itself until the thread
     *         ends.</li>
     *         <li>{@code LongUnaryOperator}: hides that context in the same way.</li>
     *         <li>{@code LongBinaryOperator}: uninstalls by serial number, at a time.</li></ul>
     * @param time a time that the thread read just before this call, or NOW
     */
    public static void set(Object handle, Object stack, long time) {
        OpenContexts.beginRecording(typeId, stack);
        Rings.set(Type.LAYOUT, handle, time);
        Reference.reachabilityFence(handle); // it is not released before it is recorded
    }

    /**
     * Notes that the stack has the installed context of the current thread, which was recorded
     * before.
     */
    public static void setStack(Object stack) {
        if (typeId != 0) { // without the agent there is no memory for the thread's object
            OpenContexts.setStack(stack);
        }
    }

    /**
     * Returns the id of the type, 0 if there is none: no map was made, or there is no room for it.
     */
    public static int typeId() {
        return typeId;
    }

    /** Records that none is installed on the current thread any more. */
    public static void unset(long at) {
        OpenContexts contexts = OpenContexts.findNoted();
        long time = Rings.timeOf(at);
        Rings.unset(Type.LAYOUT.id, time);
        if (contexts != null) { // last, as in Rings.unset
            contexts.endAllOf(1L << (typeId - 1), time);
        }
    }

    /**
     * Records that no map is installed on the current thread. Does nothing before the first map.
     */
    public static void unsetAny() {
        if (hasMaps) {
            Rings.unset(Type.LAYOUT);
        }
    }

    /** Removes a user from a handle, and releases it with the last one. */
    public static void release(Object handle) {
        Handle used = (Handle) handle;
        if (isLost(used) || !used.remove()) {
            return;
        }
        if (!used.isCarried) {
            end(used);
        } else if (used.rest()) {
            int next = NEXT_RESTING.getAndIncrement() & RESTING_MAX - 1;
            Handle before = RESTING.getAndSet(next, used);
            if (!mayRest) { // after it: endRests clears mayRest before it looks
                mayRest = true;
            }
            endRest(before);
        }
    }

    /** Releases the maps that have rested for a second or more. Called every second. */
    public static void endRests() {
        if (mayRest) {
            mayRest = false;
            boolean areThere = false;
            for (int i = 0; i < RESTING_MAX; i++) {
                Handle handle = RESTING.get(i);
                areThere |= handle != null;
                if (handle != null && handle.restsSince != round
                        && RESTING.compareAndSet(i, handle, null)) {
                    endRest(handle);
                }
            }
            if (areThere) {
                mayRest = true;
            }
        }
        round++; // nobody else does
    }

    // A handle that has users again rests again after the last one.
    private static void endRest(Handle handle) {
        if (handle != null) {
            handle.isResting = 0; // before end: a user that goes meanwhile finds one or the other
            end(handle);
        }
    }

    private static void end(Handle last) {
        if (!last.end()) {
            return;
        }
        do {
            last.nextGivenBack = GIVEN_BACK.getPlain();
        } while (!GIVEN_BACK.weakCompareAndSetVolatile(last.nextGivenBack, last));
    }

    /** Counts an installation that was closed out of order or on another thread. */
    public static void countMisclosed() {
        Native.countMisclosed();
    }

    /** Releases in the agent the maps that nobody can install any more. */
    public static void releaseAll() {
        for (Handle h = GIVEN_BACK.getAndSet(null); h != null; h = h.nextGivenBack) {
            Native.releaseRecording(h.id);
        }
        for (Reference<?> r = UNREACHABLE.poll(); r != null; r = UNREACHABLE.poll()) {
            Life life = (Life) r;
            LIVES.remove(life);
            life.end();
        }
    }

    private static ContextLayout layout() {
        int id = Native.registerRecordingType();
        if (id <= 0) {
            Native.log(Native.LOG_WARN,
                    "RecordingContexts are not recorded: there is no place for their type");
            return null;
        }
        typeId = id;
        Unsafe unsafe = Unsafe.getUnsafe();
        return ContextLayout.unnoted(id, new int[] {RingLayout.KIND_LONG, RingLayout.KIND_LONG},
                new long[] {unsafe.objectFieldOffset(Handle.class, "id"),
                        unsafe.objectFieldOffset(Handle.class, "request")});
    }
}
