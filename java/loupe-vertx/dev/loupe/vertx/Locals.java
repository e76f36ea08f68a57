// SPDX-License-Identifier: Apache-2.0
package dev.loupe.vertx;

import static java.lang.invoke.MethodType.methodType;

import dev.loupe.RecordingContext.Snapshot;
import io.vertx.core.Context;
import io.vertx.core.spi.context.storage.AccessMode;
import io.vertx.core.spi.context.storage.ContextLocal;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Stores a snapshot in a context of Vert.x. Vert.x 4 and 5 have the same methods for that, but the
 * class moved to another package.
 */
final class Locals {
    private static final ContextLocal<Snapshot> KEPT = ContextLocal.registerLocal(Snapshot.class);
    private static final Class<?> INTERNAL = internal();
    private static final MethodHandle IS_DUPLICATE = find("isDuplicate", methodType(boolean.class));
    private static final MethodHandle GET =
            find("getLocal", methodType(Object.class, ContextLocal.class, AccessMode.class));
    private static final MethodHandle PUT = find(
            "putLocal", methodType(void.class, ContextLocal.class, AccessMode.class, Object.class));

    private Locals() {}

    /** Initialises this class. */
    static void load() {}

    private static Class<?> internal() {
        try {
            return Class.forName("io.vertx.core.internal.ContextInternal");
        } catch (ClassNotFoundException e) {
            try {
                return Class.forName("io.vertx.core.impl.ContextInternal");
            } catch (ClassNotFoundException other) {
                throw new IllegalStateException("this version of Vert.x is not known", other);
            }
        }
    }

    private static MethodHandle find(String name, MethodType type) {
        try {
            MethodHandle found = MethodHandles.publicLookup().findVirtual(INTERNAL, name, type);
            return found.asType(found.type().changeParameterType(0, Context.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this version of Vert.x is not known", e);
        }
    }

    /** Returns whether a context belongs to one request or message, not to a verticle. */
    static boolean isOfOneWork(Context context) {
        try {
            return (boolean) IS_DUPLICATE.invokeExact(context);
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /** Returns the snapshot that a context stores, or null. */
    static Snapshot get(Context context) {
        try {
            return (Snapshot) (Object) GET.invokeExact(context, KEPT, AccessMode.CONCURRENT);
        } catch (IllegalArgumentException e) {
            return null; // its Vertx is older than this class
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /** Stores a snapshot. Returns false if the context has no place for it. */
    static boolean put(Context context, Snapshot snapshot) {
        try {
            PUT.invokeExact(context, KEPT, AccessMode.CONCURRENT, (Object) snapshot);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    private static RuntimeException thrown(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return (RuntimeException) e; // they declare none
    }
}
