// SPDX-License-Identifier: Apache-2.0
package dev.loupe;

import dev.loupe.RecordingContext.Binding;
import dev.loupe.RecordingContext.Installed;
import dev.loupe.RecordingContext.Snapshot;
import dev.loupe.internal.Agent;
import java.util.Objects;

/**
 * The contexts of work that can move between threads, such as a coroutine. A fiber has its own
 * stack of installations, like a thread. If the work leaves its thread inside a context, the
 * context leaves the thread too. If the work continues on another thread, the context applies
 * there, and the work closes it there.
 *
 * <p>This class is for libraries. They <em>mount</em> the fiber each time the work runs:
 *
 * <pre>{@code
 * RecordingContextFiber fiber = RecordingContextFiber.of(RecordingContext.snapshot());
 *
 * try (RecordingContextFiber.Mount m = fiber.mount()) {
 *   work.runUntilItWaits();
 * }
 * }</pre>
 *
 * <p>The work runs on one thread at a time. A thread may mount the fiber before the last thread has
 * closed its mount, if the work does not run there any more.
 */
public final class RecordingContextFiber {
    private static final ThreadLocal<Mount> MOUNTED = new ThreadLocal<>();

    static {
        RecordingContext.load();
    }

    private final Snapshot begin;
    private Installed stack; // null: it was never mounted while there was an agent

    private RecordingContextFiber(Snapshot begin) {
        this.begin = begin;
    }

    /**
     * Creates a fiber for new work.
     *
     * @param begin the context in which the work begins
     * @return the fiber, not mounted
     */
    public static RecordingContextFiber of(Snapshot begin) {
        return new RecordingContextFiber(Objects.requireNonNull(begin, "begin"));
    }

    /**
     * Gives the current thread the installations of this fiber, and hides its own.
     *
     * @return the mount. Close it on this thread when the work leaves the thread
     */
    public Mount mount() {
        if (!Agent.isActive) {
            return Mount.NONE;
        }
        if (stack == null) {
            stack = new Installed(begin.binding);
        }
        return Mount.of(stack);
    }

    /**
     * Returns the context for child work.
     *
     * @return a snapshot of the installed context, if this fiber is mounted on the current thread;
     *         otherwise the context in which the work of this fiber began
     */
    public Snapshot snapshot() {
        return stack != null && stack.isCurrent() ? RecordingContext.snapshot() : begin;
    }

    /** A fiber on a thread. */
    public static final class Mount implements AutoCloseable {
        private static final Mount NONE = new Mount(null, null, null);

        private final Installed stack; // null: there is no agent
        private final Installed covered;
        private final Mount outer;

        private Mount(Installed stack, Installed covered, Mount outer) {
            this.stack = stack;
            this.covered = covered;
            this.outer = outer;
        }

        private static Mount of(Installed stack) {
            Mount mount = new Mount(stack, Installed.current(), MOUNTED.get());
            MOUNTED.set(mount); // first: there may be no memory for it
            try {
                mount.covered.cover(stack, mount);
            } catch (Throwable e) {
                mount.close();
                throw e;
            }
            return mount;
        }

        /**
         * Restores the installations that the thread had before. This also unmounts fibers that
         * were mounted on the thread later. Closing twice, or on another thread, does nothing.
         */
        @Override
        public void close() {
            Mount found = stack == null ? null : MOUNTED.get();
            while (found != null && found != this) {
                found = found.outer;
            }
            if (found != null) {
                MOUNTED.set(outer);
                covered.uncover(outer != null, stack, this);
            }
        }
    }
}
