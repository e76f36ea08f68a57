// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import dev.loupe.internal.agent.Native;
import dev.loupe.internal.ring.ContextLayout;
import dev.loupe.internal.ring.RingLayout;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import jdk.internal.misc.Unsafe;

/**
 * The recorded side of RecordingContexts. Each map that is recorded has a handle with its id; to
 * install it is to set a context of a built-in type with that id.
 *
 * <p>A map is released when its handle was given back, or is unreachable: nobody can install it
 * any more then. Setting and giving back take no lock and allocate nothing.
 *
 * <p>There may be more than one copy of the API, see {@link Agent}: its classes hold handles as
 * objects.
 */
public final class Recordings {
    private static final ReferenceQueue<Handle> UNREACHABLE = new ReferenceQueue<>();
    private static final Set<Life> LIVES = ConcurrentHashMap.newKeySet();
    private static final AtomicReference<Handle> GIVEN_BACK = new AtomicReference<>();

    private Recordings() {}

    // The type is registered when the first map is made.
    private static final class Type {
        static final ContextLayout LAYOUT = layout(); // null: there is no room for it
    }

    private static final class Handle {
        final long id;
        private final Life life;
        private Handle nextGivenBack;

        Handle(long id) {
            this.id = id;
            this.life = new Life(this, id);
        }
    }

    // Outlives the handle.
    private static final class Life extends PhantomReference<Handle> {
        final long id;

        Life(Handle handle, long id) {
            super(handle, UNREACHABLE);
            this.id = id;
        }
    }

    /**
     * Records a map.
     *
     * @return its handle, null if it is not recorded
     */
    public static Object create(String[] names, String[] values) {
        if (Type.LAYOUT == null) {
            return null;
        }
        releaseAll();
        byte[][] keys = new byte[names.length][];
        byte[][] texts = new byte[names.length][];
        for (int i = 0; i < names.length; i++) {
            keys[i] = Native.utf8(names[i]);
            texts[i] = values[i] == null ? null : Native.utf8(values[i]);
        }
        long id = Native.addRecording(keys, texts);
        if (id == 0) {
            return null;
        }
        Handle handle = new Handle(id);
        LIVES.add(handle.life);
        return handle;
    }

    /** Installs a map on the current thread. */
    public static void set(Object handle) {
        Rings.set(Type.LAYOUT, handle);
        Reference.reachabilityFence(handle); // it is not released before it is recorded
    }

    /** Records that none is installed on the current thread any more. */
    public static void unset() {
        Rings.unset(Type.LAYOUT);
    }

    /** Releases a handle that nobody will set any more. Once for each handle. */
    public static void release(Object handle) {
        Handle last = (Handle) handle;
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
            release(h.life);
        }
        for (Reference<?> r = UNREACHABLE.poll(); r != null; r = UNREACHABLE.poll()) {
            release((Life) r);
        }
    }

    // A handle that was given back is unreachable later, too.
    private static void release(Life life) {
        if (LIVES.remove(life)) {
            life.clear();
            Native.releaseRecording(life.id);
        }
    }

    private static ContextLayout layout() {
        int id = Native.registerRecordingType();
        if (id <= 0) {
            Native.log(Native.LOG_WARN,
                    "RecordingContexts are not recorded: there is no place for their type");
            return null;
        }
        long offset = Unsafe.getUnsafe().objectFieldOffset(Handle.class, "id");
        return new ContextLayout(id, new int[] {RingLayout.KIND_LONG}, new long[] {offset}, false);
    }
}
