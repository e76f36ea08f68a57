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
 * Knows to each span that is running the local root. A span itself tells no more than the id of its
 * parent.
 */
final class LocalRoots implements SpanProcessor {
    // Spans that a program forgets to end are never removed.
    private static final int SPANS_MAX = 65_536;
    private static final Map<String, LocalRoot> ROOTS = new ConcurrentHashMap<>(); // by span id

    /**
     * Finds a span's local root.
     *
     * @return null if it is not known: the span is not recorded, or a child that has ended, or
     *         there
     *     are too many
     */
    static LocalRoot find(Span span) {
        if (!(span instanceof ReadableSpan readable)) {
            return null;
        }
        LocalRoot root = ROOTS.get(span.getSpanContext().getSpanId());
        return root == null && isRoot(readable) ? new LocalRoot(readable) : root;
    }

    private static boolean isRoot(ReadableSpan span) {
        SpanContext parent = span.getParentSpanContext();
        return !parent.isValid() || parent.isRemote();
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        if (!SpanScope.isRecording() || ROOTS.size() >= SPANS_MAX) {
            return;
        }
        LocalRoot root = isRoot(span) ? new LocalRoot(span) : find(Span.fromContext(parent));
        if (root != null) {
            ROOTS.put(span.getSpanContext().getSpanId(), root);
        }
    }

    @Override
    public boolean isStartRequired() {
        return true;
    }

    @Override
    public void onEnd(ReadableSpan span) {
        LocalRoot root = ROOTS.remove(span.getSpanContext().getSpanId());
        if (root != null && isRoot(span)) {
            root.end();
        }
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }
}
