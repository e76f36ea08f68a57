// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * Forgets more spans than Loupe's extension knows local roots of, and expects that they are
 * collected. Then a span, of which a child has no profile id, gets its name late, and at last more
 * spans run than it knows.
 */
public final class OtelRoots {
    private static final int MANY = 70_000;
    private static final int PURGED_AFTER = 1024;
    private static final int COLLECTIONS_MAX = 200;

    private OtelRoots() {}

    public static void main(String[] args) {
        AutoConfiguredOpenTelemetrySdk.initialize();
        Tracer tracer = GlobalOpenTelemetry.getTracer("test");
        // None is collected before: the extension is full, which the next PURGED_AFTER starts find.
        List<Span> spans = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            spans.add(start(tracer, "forgotten"));
        }
        WeakReference<Span> last = new WeakReference<>(spans.get(MANY - 1));
        spans.clear();
        for (int i = 0; i < COLLECTIONS_MAX && (i == 0 || last.get() != null); i++) {
            System.gc();
        }
        System.out.println(last.get() == null ? "collected" : "kept");
        for (int i = 0; i < PURGED_AFTER; i++) {
            start(tracer, "forgotten");
        }
        nameLate(tracer);
        for (int i = 0; i < MANY; i++) {
            spans.add(start(tracer, "running"));
        }
        System.out.println("running " + spans.size());
    }

    private static Span start(Tracer tracer, String name) {
        return tracer.spanBuilder(name).setNoParent().startSpan();
    }

    private static String profileId(Span span) {
        return ((ReadableSpan) span).getAttribute(AttributeKey.stringKey("pyroscope.profile.id"));
    }

    private static void nameLate(Tracer tracer) {
        Span span = start(tracer, "first name");
        Span child = tracer.spanBuilder("child").setParent(Context.root().with(span)).startSpan();
        boolean isOwn = span.getSpanContext().getSpanId().equals(profileId(span));
        System.out.println("profile ids " + isOwn + " " + profileId(child));
        child.end();
        try (Scope scope = span.makeCurrent()) {
            new Marks.Tick().commit();
        }
        span.updateName("final name");
        span.end();
    }
}
