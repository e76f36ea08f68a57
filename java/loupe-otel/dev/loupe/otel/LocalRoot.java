// SPDX-License-Identifier: Apache-2.0
package dev.loupe.otel;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.lang.ref.WeakReference;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * The span with which a trace came into this JVM, or began here, and which of its names contexts
 * have shown. Instrumentations often know the name only when the request has been routed, after its
 * first contexts. If the name changed after a context showed it, the end of the span records the
 * final name for all its contexts.
 */
final class LocalRoot {
    private static final AtomicReferenceFieldUpdater<LocalRoot, String> SHOWN =
            AtomicReferenceFieldUpdater.newUpdater(LocalRoot.class, String.class, "shown");

    // Weak, as children may run on when it has ended, or was forgotten.
    private final WeakReference<ReadableSpan> span;
    private final long id;
    private volatile String shown; // the first; null: nothing yet
    private volatile boolean hasShownOther;
    private volatile String finalName; // null: it has not ended

    LocalRoot(ReadableSpan span) {
        this.span = new WeakReference<>(span);
        id = idOf(span.getSpanContext());
    }

    static long idOf(SpanContext ids) {
        return HexFormat.fromHexDigitsToLong(ids.getSpanId());
    }

    long id() {
        return id;
    }

    /**
     * Returns the name that the span has now, for a context that is about to show it; null if the
     * span was forgotten and never shown.
     */
    String show() {
        String name = name();
        if (name == null) {
            return null;
        }
        if (shown == null) {
            SHOWN.compareAndSet(this, null, name);
        }
        if (!shown.equals(name)) {
            hasShownOther = true;
        }
        return name;
    }

    /**
     * To be called with what {@link #show} returned, once the context shows it. The span may have
     * got its final name, and have ended, in between.
     */
    void shown(String name) {
        String last = finalName;
        if (last != null && !last.equals(name)) {
            LocalRootName.say(id, last);
        }
    }

    private String name() {
        ReadableSpan running = span.get();
        String last = finalName;
        if (last != null) {
            return last;
        }
        return running == null ? shown : running.getName();
    }

    /** To be called when the span has ended, and its name is the final one. */
    void end(String name) {
        finalName = name;
        if (shown != null && (hasShownOther || !shown.equals(name))) {
            LocalRootName.say(id, name);
        }
    }
}
