// SPDX-License-Identifier: Apache-2.0
package dev.loupe.otel;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Knows to each span that is running the local root: the span with which its trace came into this
 * JVM, or began here. A span itself tells no more than the id of its parent.
 */
final class LocalRoots implements SpanProcessor {
    // Spans that a program forgets to end are never removed.
    private static final int CHILDREN_MAX = 65_536;
    private static final Map<String, ReadableSpan> ROOTS = new ConcurrentHashMap<>(); // by span id

    /**
     * Gives the name that a span's local root has now.
     *
     * @return null if it is not known: the span is not recorded, or ended, or there are too many
     */
    static String nameFor(Span span) {
        ReadableSpan root = rootOf(span);
        return root == null ? null : root.getName();
    }

    private static ReadableSpan rootOf(Span span) {
        if (!(span instanceof ReadableSpan readable)) {
            return null;
        }
        return isRoot(readable) ? readable : ROOTS.get(span.getSpanContext().getSpanId());
    }

    private static boolean isRoot(ReadableSpan span) {
        SpanContext parent = span.getParentSpanContext();
        return !parent.isValid() || parent.isRemote();
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        if (!SpanScope.isRecording() || isRoot(span)) {
            return;
        }
        ReadableSpan root = rootOf(Span.fromContext(parent));
        if (root != null && ROOTS.size() < CHILDREN_MAX) {
            ROOTS.put(span.getSpanContext().getSpanId(), root);
        }
    }

    @Override
    public boolean isStartRequired() {
        return true;
    }

    @Override
    public void onEnd(ReadableSpan span) {
        ROOTS.remove(span.getSpanContext().getSpanId());
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }
}
