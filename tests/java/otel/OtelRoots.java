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
        WeakReference<Span> last = null;
        for (int i = 0; i < MANY; i++) {
            last = new WeakReference<>(start(tracer, "forgotten"));
        }
        // The last span: a collection during the loop may have freed the first ones, and no more.
        for (int i = 0; i < COLLECTIONS_MAX && (i == 0 || last.get() != null); i++) {
            System.gc();
        }
        System.out.println(last.get() == null ? "collected" : "kept");
        for (int i = 0; i < PURGED_AFTER; i++) {
            start(tracer, "forgotten");
        }
        nameLate(tracer);
        List<Span> running = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            running.add(start(tracer, "running"));
        }
        System.out.println("running " + running.size());
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
