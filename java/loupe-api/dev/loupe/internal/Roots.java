// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import dev.loupe.internal.agent.Native;
import dev.loupe.internal.ring.ContextLayout;
import dev.loupe.internal.ring.RingLayout;
import java.nio.charset.StandardCharsets;
import jdk.internal.misc.Unsafe;
import jdk.jfr.internal.JVM;

/**
 * Records when requests begin and end, on whatever thread. Such a record begins no context. It
 * takes no lock, and allocates nothing where the thread's ring has room.
 *
 * <p>Requests have keys. Keys of the API's requests are the ids in RecordingContexts. Keys of other
 * roots are the values of an attribute of contexts.
 */
public final class Roots {
    private static final int[] NO_TYPES = {};
    private static final long[][] NO_WORDS = {};

    private final ContextLayout layout; // null: there is no room for the type

    /** The value of a record for which the ring of its thread has no room. */
    private static final class Root {
        final long key;
        final boolean isEnd;

        Root(long key, boolean isEnd) {
            this.key = key;
            this.isEnd = isEnd;
        }
    }

    // Of the requests of the API. The type is registered when the first of them begins.
    private static final class Api {
        static final Roots ROOTS = make();

        private static Roots make() {
            try {
                return new Roots("loupe.Request", "Request", "request", false);
            } catch (Throwable e) { // no memory or no stack; else each later request would fail
                return new Roots();
            }
        }
    }

    private Roots() {
        layout = null;
    }

    /**
     * Registers a type of roots. If there is no room for it, that is logged, and the methods below
     * do nothing.
     *
     * @param name of the type
     * @param label of the type
     * @param key the name of an attribute of contexts
     * @param isHex whether that is shown as hexadecimal digits
     */
    public Roots(String name, String label, String key, boolean isHex) {
        byte[][] texts = new byte[9][];
        String[] strings = {name, label, "", key, "", "", "end", "", ""};
        for (int i = 0; i < texts.length; i++) {
            texts[i] = strings[i].getBytes(StandardCharsets.UTF_8);
        }
        int[] kinds = {isHex ? RingLayout.KIND_HEX : RingLayout.KIND_LONG, RingLayout.KIND_BOOLEAN};
        int id = Native.registerType(texts, kinds, 0, true);
        if (id <= 0) {
            Native.log(Native.LOG_WARN,
                    "begins and ends of " + key
                            + " are not recorded: there is no place for their type");
        }
        layout = id <= 0 ? null : layout(id);
    }

    private static ContextLayout layout(int id) {
        Unsafe unsafe = Unsafe.getUnsafe();
        return ContextLayout.ofMoments(id,
                new int[] {RingLayout.KIND_LONG, RingLayout.KIND_BOOLEAN},
                new long[] {unsafe.objectFieldOffset(Root.class, "key"),
                        unsafe.objectFieldOffset(Root.class, "isEnd")});
    }

    /**
     * Returns the id of a new request of the API, for the records of its begin and end; 0 if there
     * is no room for the type of these records.
     */
    public static long newRequest() {
        return Api.ROOTS.layout == null ? 0 : Recordings.newRequest() | RingLayout.REQUEST_ROOTED;
    }

    /** Records that such a request begins. */
    public static void beginRequest(long id) {
        Api.ROOTS.begin(id);
    }

    /** Records that it ends. */
    public static void endRequest(long id) {
        Api.ROOTS.end(id);
    }

    /** Records that the request with this key begins. */
    public void begin(long key) {
        record(key, false);
    }

    /** Records that it ends. */
    public void end(long key) {
        record(key, true);
    }

    private void record(long key, boolean isEnd) {
        if (layout == null) {
            return;
        }
        long time = JVM.counterTime();
        if (!Rings.change(layout.id, key, isEnd ? 1 : 0, 0, NO_TYPES, NO_WORDS, time)) {
            Rings.set(layout, new Root(key, isEnd), time);
        }
    }
}
