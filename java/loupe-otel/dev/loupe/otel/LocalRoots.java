// SPDX-License-Identifier: Apache-2.0
package dev.loupe.otel;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;

/**
 * Finds the local root of each span that is running. A span itself has no more than the id of its
 * parent. A local root is a request, from the start of the span to its end.
 */
final class LocalRoots implements SpanProcessor {
    private static final int SPANS_MAX = 65_536; // running at a time
    // At that limit, every this many starts search for forgotten spans.
    private static final int STARTS_PER_PURGE = 1024;
    // By this attribute, Grafana shows a button that asks for the profile of the span.
    private static final String PROFILE_ID = "pyroscope.profile.id";
    private static final Logger LOGGER = Logger.getLogger(LocalRoots.class.getName());

    private static final Map<String, Entry> ENTRIES = new ConcurrentHashMap<>(); // by span id
    private static final AtomicInteger STARTS_WHEN_FULL = new AtomicInteger();
    private static final AtomicBoolean IS_FULL_LOGGED = new AtomicBoolean();

    // A program may forget a span that it has not ended: so it is held weakly.
    private static final class Entry {
        private final WeakReference<ReadableSpan> span;
        private final LocalRoot root;

        Entry(ReadableSpan span, LocalRoot root) {
            this.span = new WeakReference<>(span);
            this.root = root;
        }

        boolean isForgotten() {
            return span.get() == null;
        }
    }

    /**
     * Finds a span's local root.
     *
     * @return null if it is not known: the span is not recorded, or a child that has ended, or
     *         there are too many
     */
    static LocalRoot find(Span span) {
        if (!(span instanceof ReadableSpan readable)) {
            return null;
        }
        Entry entry = ENTRIES.get(span.getSpanContext().getSpanId());
        if (entry != null) {
            return entry.root;
        }
        return isRoot(readable) ? new LocalRoot(readable) : null;
    }

    private static boolean isRoot(ReadableSpan span) {
        SpanContext parent = span.getParentSpanContext();
        return !parent.isValid() || parent.isRemote();
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        if (!SpanScope.isRecording()) {
            return;
        }
        boolean isRoot = isRoot(span);
        if (isRoot) {
            span.setAttribute(PROFILE_ID, span.getSpanContext().getSpanId());
        }
        if (ENTRIES.size() >= SPANS_MAX && !makeRoom()) {
            return;
        }
        LocalRoot root = isRoot ? new LocalRoot(span) : find(Span.fromContext(parent));
        if (root != null) {
            ENTRIES.put(span.getSpanContext().getSpanId(), new Entry(span, root));
        }
        if (isRoot) {
            SpanScope.beginRequest(root);
        }
    }

    private static boolean makeRoom() {
        if (STARTS_WHEN_FULL.getAndIncrement() % STARTS_PER_PURGE == 0) {
            ENTRIES.values().removeIf(Entry::isForgotten);
        }
        boolean hasRoom = ENTRIES.size() < SPANS_MAX;
        if (!hasRoom && !IS_FULL_LOGGED.getAndSet(true)) {
            LOGGER.warning("over " + SPANS_MAX + " spans are running: contexts of others keep the "
                    + "name that their local root has when they begin, or have none");
        }
        return hasRoom;
    }

    @Override
    public boolean isStartRequired() {
        return true;
    }

    @Override
    public void onEnd(ReadableSpan span) {
        Entry entry = ENTRIES.remove(span.getSpanContext().getSpanId());
        if (entry != null && isRoot(span)) {
            entry.root.end(span.getName());
            SpanScope.endRequest(entry.root);
        }
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }
}
