// SPDX-License-Identifier: Apache-2.0
package dev.loupe.micrometer;

import dev.loupe.RecordingContext;
import io.micrometer.context.ThreadLocalAccessor;

/**
 * Carries the {@link RecordingContext} of a thread by Micrometer's context propagation. The global
 * {@code ContextRegistry} finds this class by {@code ServiceLoader}; register it with other
 * registries by {@code registerThreadLocalAccessor}.
 */
public final class RecordingContextAccessor
        implements ThreadLocalAccessor<RecordingContext.Snapshot> {
    /** The key of the context in a {@code ContextSnapshot}, and in Reactor's {@code Context}. */
    public static final String KEY = "loupe.RecordingContext";

    /** Creates an accessor. */
    public RecordingContextAccessor() {}

    @Override
    public Object key() {
        return KEY;
    }

    @Override
    public RecordingContext.Snapshot getValue() {
        RecordingContext.Snapshot snapshot = RecordingContext.snapshot();
        return snapshot.hasContext() ? snapshot : null;
    }

    @Override
    public void setValue(RecordingContext.Snapshot snapshot) {
        snapshot.setCurrent();
    }

    @Override
    public void setValue() {
        RecordingContext.Snapshot.none().setCurrent();
    }
}
