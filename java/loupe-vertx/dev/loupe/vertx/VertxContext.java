// SPDX-License-Identifier: Apache-2.0
package dev.loupe.vertx;

import dev.loupe.RecordingContext;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/** Carries the {@link RecordingContext} of a handler on to the handlers that follow it. */
public final class VertxContext {
    private VertxContext() {}

    /**
     * Keeps the context that is installed on the current thread. Vert.x then installs it again
     * whenever it calls a handler for the same request, message or connection: of timers, answers
     * and futures, and on worker threads.
     *
     * <pre>{@code
     * vertx.eventBus().<String>consumer("orders", message -> {
     *   try (RecordingContext context = RecordingContext.where(ORDER, message.body()).build()) {
     *     VertxContext.keep();
     *     database.find(message.body()).onSuccess(order -> message.reply(order));
     *   }
     * });
     * }</pre>
     *
     * <p>A second call replaces the kept context. {@link LoupeRequestHandler} calls it for each
     * request.
     *
     * @return {@code false} if it keeps nothing, because the context would never end: outside of
     *         Vert.x, and in handlers that belong to a whole verticle
     */
    public static boolean keep() {
        Context current = Vertx.currentContext();
        return current != null && Locals.isOfOneWork(current)
                && Locals.put(current, RecordingContext.snapshot());
    }

    /** Returns the snapshot that a context of Vert.x keeps, or null. */
    static RecordingContext.Snapshot keptBy(Context context) {
        return Locals.get(context);
    }

    /** Makes room for the snapshot in the contexts of Vert.x instances that start later. */
    static void load() {
        Locals.load();
    }
}
