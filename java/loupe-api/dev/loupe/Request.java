// SPDX-License-Identifier: Apache-2.0
package dev.loupe;

import dev.loupe.RecordingContext.Binding;
import dev.loupe.RecordingContext.Installed;
import dev.loupe.internal.Agent;
import dev.loupe.internal.Roots;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A unit of work whose begin and end the program knows: a call of a server, a message, a job.
 *
 * <pre>{@code
 * try (Request request = Request.begin()) {
 *   try (RecordingContext c = RecordingContext.where(ENDPOINT, "/pay").build()) {
 *     work();
 *   }
 * }
 * }</pre>
 *
 * <p>Each {@link RecordingContext} that is built on the thread belongs to the request, and so do
 * contexts that extend it, on whatever thread. The request lasts from {@link #begin} to {@link
 * #end}. Programs that do not use this class have requests, too: a context that extends none is
 * one, with all contexts that belong to it.
 *
 * <p>Work that continues elsewhere leaves the thread on which it began, and ends on another:
 *
 * <pre>{@code
 * Request request = Request.begin();
 * try {
 *   try (RecordingContext c = RecordingContext.where(ENDPOINT, "/pay").build()) {
 *     receive(message).whenComplete((result, error) -> request.end());
 *   }
 * } finally {
 *   request.leave();
 * }
 * }</pre>
 *
 * <p>A request that begins within another is a part of that one. A server whose threads may have
 * the context of earlier work activates {@link RecordingContext.Snapshot#none} before it begins a
 * request.
 *
 * <p>Without an agent in this JVM every call does nothing.
 */
public final class Request implements AutoCloseable {
    static {
        RecordingContext.load();
    }

    private static final AtomicIntegerFieldUpdater<Request> ENDS =
            AtomicIntegerFieldUpdater.newUpdater(Request.class, "ends");
    private static final Request NONE = new Request(null, null);

    private final Installed stack; // null: it is part of another request, or not recorded
    private final Binding binding;
    private final int slot;
    private final long serial;
    private volatile boolean hasLeft;
    private volatile int ends;

    private Request(Installed stack, Binding binding) {
        this.stack = stack;
        this.binding = binding;
        this.slot = stack == null ? 0 : stack.nextSlot();
        this.serial = stack == null ? 0 : stack.nextSerial();
    }

    /**
     * Begins a request on the current thread. If a {@link RecordingContext} or another request is
     * installed there, nothing begins.
     *
     * @return the request
     */
    public static Request begin() {
        if (!Agent.isActive || Agent.sink != null) {
            return NONE;
        }
        Installed stack = Installed.current();
        if (stack.top() != null) {
            return NONE;
        }
        long id = Roots.newRequest();
        if (id == 0) {
            return NONE;
        }
        stack.reserve(); // first: there may be no memory for it
        Binding binding = new Binding(id);
        Request request = new Request(stack, binding);
        Roots.beginRequest(id);
        stack.push(binding, 0);
        return request;
    }

    /**
     * Ends the request, on any thread. On the one on which it began this does what {@link #leave}
     * does, too. Calls after the first do nothing.
     */
    public void end() {
        if (stack != null && stack.isOfCaller()) {
            leave();
        }
        if (stack != null && ENDS.getAndSet(this, 1) == 0) {
            Roots.endRequest(binding.request);
        }
    }

    /**
     * Leaves the thread on which the request began: contexts that are built there later do not
     * belong to the request, which continues. Call this on that thread, after closing the contexts
     * that were built there. Calls after the first do nothing.
     */
    public void leave() {
        if (stack != null && !hasLeft) {
            hasLeft = true;
            stack.close(slot, serial);
        }
    }

    /** Does the same as {@link #end}. */
    @Override
    public void close() {
        end();
    }
}
