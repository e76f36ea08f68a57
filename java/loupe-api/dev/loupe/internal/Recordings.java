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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import jdk.internal.misc.Unsafe;

/**
 * The recorded side of RecordingContexts. Each map that is recorded has a handle with its id; to
 * install it is to set a context of a built-in type with that id. Maps with the same entries may
 * have one id. A map for which there is no place has a handle, too, with id 0: its context has no
 * entries then, and decides about events all the same.
 *
 * <p>A map is released when nobody can install it any more. Until it is shared, only the thread
 * that made it can: it gives the handle back, or ends. A handle that is shared is released when it
 * is unreachable. Setting and giving back take no lock and allocate nothing.
 *
 * <p>There may be more than one copy of the API, see {@link Agent}: its classes hold handles as
 * objects.
 */
public final class Recordings {
    private static boolean hasMaps; // every thread that got a handle sees true

    private static final ReferenceQueue<Object> UNREACHABLE = new ReferenceQueue<>();
    private static final Set<Life> LIVES = ConcurrentHashMap.newKeySet();
    private static final AtomicReference<Handle> GIVEN_BACK = new AtomicReference<>();
    private static final Handle LOST = new Handle(0);

    private static volatile int typeId;

    private Recordings() {}

    // The type is registered when the first map is made.
    private static final class Type {
        static final ContextLayout LAYOUT = layout(); // null: there is no room for it
    }

    private static final class Handle {
        final long id;
        private Handle nextGivenBack;

        Handle(long id) {
            this.id = id;
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
                    Native.releaseRecording(((Handle) handle).id);
                }
            }
        }
    }

    /**
     * Records a map, for the current thread alone.
     *
     * @return its handle, null if nothing is recorded
     */
    public static Object create(String[] names, String[] values) {
        if (Type.LAYOUT == null) {
            return null;
        }
        releaseAll();
        hasMaps = true;
        long id = Native.addRecording(pack(names, values));
        return id == 0 ? LOST : new Handle(id);
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
     * Releases what a thread owns once its stack of installations is unreachable.
     *
     * @param owned an array of one: the array of the handles that it has made, has installed, and
     *         has neither shared nor given back
     */
    public static void watch(Object stack, Object[] owned) {
        new StackLife(stack, owned);
    }

    /** Has a handle be released once it is unreachable. Once for each handle. */
    public static void share(Object handle) {
        if (handle != LOST) {
            new SharedLife((Handle) handle);
        }
    }

    /**
     * Installs a map on the current thread.
     *
     * @param stack gives what installs the map on top of the thread's installations on another
     *         thread
     */
    public static void set(Object handle, Supplier<Supplier<AutoCloseable>> stack) {
        OpenContexts.setStack(stack);
        Rings.set(Type.LAYOUT, handle);
        Reference.reachabilityFence(handle); // it is not released before it is recorded
    }

    /**
     * Notes that the stack has what is installed on the current thread, which was recorded before.
     */
    public static void setStack(Supplier<Supplier<AutoCloseable>> stack) {
        OpenContexts.setStack(stack);
    }

    /**
     * Returns the id of the type, 0 if there is none: no map was made, or there is no room for it.
     */
    public static int typeId() {
        return typeId;
    }

    /** Records that none is installed on the current thread any more. */
    public static void unset() {
        OpenContexts.setStack(null); // it may be of a fiber that has ended
        Rings.unset(Type.LAYOUT);
    }

    /**
     * Records that no map is installed on the current thread. Does nothing before the first map.
     */
    public static void unsetAny() {
        if (hasMaps) {
            Rings.unset(Type.LAYOUT);
        }
    }

    /** Releases a handle that is not shared, and that nobody will set any more. Once for each. */
    public static void release(Object handle) {
        Handle last = (Handle) handle;
        if (last == LOST) {
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
        long offset = Unsafe.getUnsafe().objectFieldOffset(Handle.class, "id");
        return new ContextLayout(id, new int[] {RingLayout.KIND_LONG}, new long[] {offset}, false);
    }
}
