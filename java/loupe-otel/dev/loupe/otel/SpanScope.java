// SPDX-License-Identifier: Apache-2.0
package dev.loupe.otel;

import dev.loupe.ContextType;
import dev.loupe.Hex;
import dev.loupe.internal.Agent;
import dev.loupe.internal.ContextTypes;
import dev.loupe.internal.Roots;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/**
 * Loupe's context while a span is attached to a thread, and at the same time the scope by which it
 * is detached: so there is one object for both.
 *
 * <p>Loupe's context always follows the storage. So scopes that are closed twice, in a wrong order
 * or on a wrong thread need no care here: Loupe shows the same as OpenTelemetry.
 */
@Name("otel.Span")
@Label("OpenTelemetry Span")
@Description("The span that the thread was working for")
final class SpanScope extends ContextType implements Scope {
    private static final int BAGGAGE_KEYS_MAX = 12; // a type has 16 attributes
    static final String LOCAL_ROOT_SPAN_ID = "local_root_span_id";
    static final String LOCAL_ROOT_SPAN_NAME = "local_root_span_name";
    private static final String BAGGAGE_FIELD = "baggage";
    private static final Logger LOGGER = Logger.getLogger(SpanScope.class.getName());

    private enum State { UNCONFIGURED, UNREGISTERED, RECORDING, OFF }

    private static volatile State state = State.UNCONFIGURED;
    private static boolean isRegistering; // the lock of the class, as long as state is UNREGISTERED
    private static Roots roots; // set before state is RECORDING
    private static String[] baggageKeys; // set before state is UNREGISTERED

    private final transient ContextStorage storage;
    private final transient Scope scope;

    @Name("trace_id") @Label("Trace Id") private String traceId;
    @Name("span_id") @Label("Span Id") @Hex private long spanId;
    @Name(LOCAL_ROOT_SPAN_NAME)
    @Label("Local Root Span Name")
    @Description("The name of the span with which the trace came into this JVM")
    private String localRootSpanName;
    @Name(LOCAL_ROOT_SPAN_ID)
    @Label("Local Root Span Id")
    @Description("The span with which the trace came into this JVM")
    @Hex
    private long localRootSpanId;
    // "baggage" and the index of the key
    private String baggage0;
    private String baggage1;
    private String baggage2;
    private String baggage3;
    private String baggage4;
    private String baggage5;
    private String baggage6;
    private String baggage7;
    private String baggage8;
    private String baggage9;
    private String baggage10;
    private String baggage11;

    SpanScope(ContextStorage storage, Scope scope, Context attached) {
        this.storage = storage;
        this.scope = scope;
        show(attached);
    }

    /** Sets which entries of the baggage are shown. The first call counts. */
    static synchronized void configure(List<String> keys) {
        if (state != State.UNCONFIGURED) {
            return;
        }
        List<String> distinct = keys.stream().distinct().toList();
        if (distinct.size() > BAGGAGE_KEYS_MAX) {
            LOGGER.warning("Loupe records the first " + BAGGAGE_KEYS_MAX
                    + " of these entries of the baggage: " + distinct);
        }
        baggageKeys = distinct.stream().limit(BAGGAGE_KEYS_MAX).toArray(String[] ::new);
        state = State.UNREGISTERED;
    }

    /** Returns whether Loupe's agent is there and takes contexts of this type. */
    static boolean isRecording() {
        return Agent.isActive
                && (state == State.RECORDING || state == State.UNREGISTERED && register());
    }

    // Not done before, as the agent may come after OpenTelemetry's. Spans of other threads wait for
    // it: those that begin meanwhile are requests, too.
    private static synchronized boolean register() {
        if (state == State.UNREGISTERED && !isRegistering) {
            isRegistering = true; // so that it is done once, whatever it calls
            State next = State.OFF;
            try {
                if (ContextTypes.register(SpanScope.class, SpanScope::nameOf)) {
                    if (!ContextTypes.registerCompletion(LocalRootName.class, SpanScope.class)) {
                        LOGGER.warning("contexts keep the name that their local root has when they "
                                + "begin");
                    }
                    roots = new Roots(
                            "otel.LocalRoot", "OpenTelemetry Local Root", LOCAL_ROOT_SPAN_ID, true);
                    next = State.RECORDING;
                }
            } catch (RuntimeException | LinkageError e) {
                LOGGER.log(Level.WARNING, "this loupe-otel.jar does not fit Loupe's agent", e);
            }
            state = next;
        }
        return state == State.RECORDING;
    }

    /** Records that a request begins whose contexts have this local root. isRecording. */
    static void beginRequest(LocalRoot root) {
        roots.begin(root.id());
    }

    /** Records that it ends. isRecording was true as it began. */
    static void endRequest(LocalRoot root) {
        roots.end(root.id());
    }

    private static String nameOf(String field) {
        if (!field.startsWith(BAGGAGE_FIELD)) {
            return field;
        }
        int index = Integer.parseInt(field.substring(BAGGAGE_FIELD.length()));
        return index < baggageKeys.length ? BAGGAGE_FIELD + "." + baggageKeys[index] : null;
    }

    /** Returns whether two contexts, which may be null, are one to Loupe. */
    static boolean isSame(Context a, Context b) {
        return a == b
                || spanOf(a) == spanOf(b)
                && (baggageKeys.length == 0 || baggageOf(a) == baggageOf(b));
    }

    private static Span spanOf(Context context) {
        return context == null ? Span.getInvalid() : Span.fromContext(context);
    }

    private static Baggage baggageOf(Context context) {
        return context == null ? Baggage.empty() : Baggage.fromContext(context);
    }

    @Override
    public void close() {
        Context before = storage.current();
        scope.close();
        Context after = storage.current();
        if (!isSame(before, after)) {
            show(after);
        }
    }

    private void show(Context context) {
        Span span = spanOf(context);
        SpanContext ids = span.getSpanContext();
        if (!ids.isValid()) {
            unset();
            return;
        }
        traceId = ids.getTraceId();
        spanId = LocalRoot.idOf(ids);
        LocalRoot root = LocalRoots.find(span);
        localRootSpanId = root == null ? 0 : root.id();
        localRootSpanName = root == null ? null : root.show();
        if (baggageKeys.length > 0) {
            takeBaggage(baggageOf(context));
        }
        set();
        if (root != null) {
            root.shown(localRootSpanName);
        }
    }

    private void takeBaggage(Baggage baggage) {
        baggage0 = entryOf(baggage, 0);
        baggage1 = entryOf(baggage, 1);
        baggage2 = entryOf(baggage, 2);
        baggage3 = entryOf(baggage, 3);
        baggage4 = entryOf(baggage, 4);
        baggage5 = entryOf(baggage, 5);
        baggage6 = entryOf(baggage, 6);
        baggage7 = entryOf(baggage, 7);
        baggage8 = entryOf(baggage, 8);
        baggage9 = entryOf(baggage, 9);
        baggage10 = entryOf(baggage, 10);
        baggage11 = entryOf(baggage, 11);
    }

    private static String entryOf(Baggage baggage, int index) {
        return index < baggageKeys.length ? baggage.getEntryValue(baggageKeys[index]) : null;
    }
}
