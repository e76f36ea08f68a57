// SPDX-License-Identifier: Apache-2.0
package dev.loupe.otel;

import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * The span with which a trace came into this JVM, or began here, and which of its names contexts
 * have shown. Instrumentations often know the name only when the request has been routed, after its
 * first contexts; where it has changed, its end says the final one for all of them.
 */
final class LocalRoot {
    private static final AtomicReferenceFieldUpdater<LocalRoot, String> SHOWN =
            AtomicReferenceFieldUpdater.newUpdater(LocalRoot.class, String.class, "shown");

    private final ReadableSpan span;
    private final long id;
    private volatile String shown; // the first; null: nothing yet
    private volatile boolean hasShownOther;
    private volatile boolean isEnded;

    LocalRoot(ReadableSpan span) {
        this.span = span;
        id = idOf(span);
    }

    static long idOf(ReadableSpan span) {
        return HexFormat.fromHexDigitsToLong(span.getSpanContext().getSpanId());
    }

    long id() {
        return id;
    }

    /** Gives the name that the span has now, for a context that is about to show it. */
    String show() {
        String name = span.getName();
        if (shown == null) {
            SHOWN.compareAndSet(this, null, name);
        }
        if (!shown.equals(name)) {
            hasShownOther = true;
        }
        return name;
    }

    /**
     * To be called with what {@link #show} gave, once the context shows it. The span may have got
     * its final name, and have ended, in between.
     */
    void shown(String name) {
        if (isEnded && !name.equals(span.getName())) {
            LocalRootName.say(id, span.getName());
        }
    }

    void end() {
        isEnded = true;
        String name = span.getName();
        if (shown != null && (hasShownOther || !shown.equals(name))) {
            LocalRootName.say(id, name);
        }
    }
}
