// SPDX-License-Identifier: Apache-2.0
package dev.loupe.otel;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;

/**
 * OpenTelemetry's storage of contexts, which shows Loupe the context that is attached to a thread.
 */
final class SpanStorage implements ContextStorage {
    private static final Class<?> CARRIER = carrierClass(); // null: this JVM has none

    private final ContextStorage storage;

    SpanStorage(ContextStorage storage) {
        this.storage = storage;
    }

    private static Class<?> carrierClass() {
        try {
            return Class.forName("jdk.internal.misc.CarrierThread", false, null);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    @Override
    public Scope attach(Context context) {
        if (!SpanScope.isRecording() || isOnCarrier()) {
            return storage.attach(context);
        }
        Context before = storage.current();
        Scope scope = storage.attach(context);
        Context after = storage.current();
        return SpanScope.isSame(before, after) ? scope : new SpanScope(storage, scope, after);
    }

    // To the OpenTelemetry agent the JVM's carrying of virtual threads is a task like any other. It
    // attaches to the carrier the context of the thread that woke the virtual thread, which has
    // nothing to do with what happens there. The virtual thread has its own.
    private static boolean isOnCarrier() {
        return CARRIER != null && CARRIER.isInstance(Thread.currentThread());
    }

    @Override
    public Context current() {
        return storage.current();
    }

    @Override
    public Context root() {
        return storage.root();
    }
}
