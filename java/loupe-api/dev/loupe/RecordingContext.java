// SPDX-License-Identifier: Apache-2.0
package dev.loupe;

import dev.loupe.internal.Agent;
import dev.loupe.internal.ContextSink;
import dev.loupe.internal.Recordings;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongBinaryOperator;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import jdk.internal.vm.annotation.ForceInline;

/**
 * An immutable map of keys and values that describes the work of a thread, and that tasks carry
 * to other threads.
 *
 * <pre>{@code
 * static final RecordingContextKey ENDPOINT = RecordingContextKey.forName("endpoint");
 *
 * try (RecordingContext c = RecordingContext.where(ENDPOINT, "/pay").build()) {
 *   RecordingContext.Snapshot s = RecordingContext.snapshot();
 *   executor.submit(() -> {
 *     try (RecordingContext.Activation a = s.activate()) {
 *       work();
 *     }
 *   });
 * }
 * }</pre>
 *
 * <p>Its life, as in the draft JEP JDK-8284453: it is <em>created</em> and at once
 * <em>installed</em> on the current thread, where it extends the context that is installed there.
 * While it is installed it applies to the events of the thread, and can be
 * <em>snapshotted</em>: the snapshot installs it again, on any thread, as often as wanted. Closing
 * <em>uninstalls</em> it and puts the one before it back. Once it is not installed anywhere and no
 * snapshot of it is reachable, it is <em>destroyed</em>.
 *
 * <p>The map is sent once, when it is created; installing it records its id only.
 *
 * <p>A thread, a virtual thread being a thread of its own, has a stack of installations. Closing
 * the one on top uncovers the one below. Closing twice does nothing. Closing out of order, or on
 * another thread, ends that installation and no other, and is counted: an installation that was not
 * on top disappears from the stack; the owner of the stack notices what another thread closed when
 * it uses this class the next time.
 *
 * <p>A coroutine or a reactive chain can leave its thread inside a context. Then the context stays
 * on the thread, where it applies to other work. {@link RecordingContextFiber} and {@link
 * Snapshot#setCurrent} are for libraries that prevent this; loupe-kotlin and loupe-micrometer use
 * them.
 *
 * <p>Without an agent in this JVM no context is ever installed: {@link RecordingContextKey#isBound}
 * is false, and everything else does nothing, for next to no cost.
 *
 * <p>There are at most 16 entries in one context and 64 different keys in a JVM; keys and values
 * are cut after 1,024 bytes of UTF-8; 262,144 contexts with 32 MiB may be alive. Entries and
 * contexts over a limit are bound but not recorded, and counted; the events of a context over the
 * last limit are kept as in any other.
 */
public final class RecordingContext implements AutoCloseable {
    // An application may have loaded its own copy of this package before the agent came, and would
    // get further classes from the agent then, which are in another package for the JVM. So loading
    // one of these classes loads all of them.
    private static final Class<?>[] PARTS = {
            RecordingContextKey.class,
            Builder.class,
            Snapshot.class,
            Activation.class,
            Binding.class,
            Installed.class,
            Stacks.class,
            Misclosed.class,
            RecordingContextFiber.class,
            RecordingContextFiber.Mount.class,
            RecordingContextFilter.class,
            RecordingContextFilter.Config.class,
            RecordingContextFilter.Builder.class,
            RecordingContextFilter.PerTypeBuilder.class,
            Request.class,
    };

    private static final RecordingContext NONE = new RecordingContext(null, 0, 0);

    private final Installed stack; // null: it is not installed and never was
    private final int slot;
    private final long serial;
    private boolean isClosed;

    private RecordingContext(Installed stack, int slot, long serial) {
        this.stack = stack;
        this.slot = slot;
        this.serial = serial;
    }

    // See PARTS.
    static int load() {
        return PARTS.length;
    }

    // Removes a user from a handle; null: there is none.
    private static void release(Object handle) {
        if (handle != null) {
            Recordings.release(handle);
        }
    }

    /**
     * Returns a builder of a context, with one entry.
     *
     * @param key the key
     * @param value the value; may be null
     * @return the builder, which takes more entries
     */
    public static Builder where(RecordingContextKey key, String value) {
        return new Builder().where(key, value);
    }

    /**
     * Returns a snapshot of the context that is installed on the current thread.
     *
     * @return the snapshot; if no context is installed, one of that state
     */
    public static Snapshot snapshot() {
        if (!Agent.isActive) {
            return Snapshot.NONE;
        }
        Installed stack = Installed.current();
        Binding top = stack.top();
        return top == null ? Snapshot.NONE : stack.share(top);
    }

    /**
     * Calls a task with the context of a snapshot installed.
     *
     * @param op the task
     * @param s the snapshot
     * @param <R> the type of the result
     * @return the result of the task
     * @throws Exception if the task throws it
     */
    @SuppressWarnings("try")
    public static <R> R callWithSnapshot(Callable<R> op, Snapshot s) throws Exception {
        try (Activation activation = s.activate()) {
            return op.call();
        }
    }

    /**
     * Runs a task with the context of a snapshot installed.
     *
     * @param op the task
     * @param s the snapshot
     */
    @SuppressWarnings("try")
    public static void runWithSnapshot(Runnable op, Snapshot s) {
        try (Activation activation = s.activate()) {
            op.run();
        }
    }

    /** Uninstalls this context and puts the one before it back. */
    @Override
    public void close() {
        if (stack == null || isClosed) {
            return;
        }
        isClosed = true;
        stack.close(slot, serial);
    }

    /** A builder of a context, for one thread at a time. */
    public static final class Builder {
        private String[] names = new String[4];
        private String[] values = new String[4];
        private int count;

        private Builder() {}

        /**
         * Adds an entry. If the key is there already, or in the context that is extended, it gets
         * the new value.
         *
         * @param key the key
         * @param value the value; may be null
         * @return this
         */
        public Builder where(RecordingContextKey key, String value) {
            put(Objects.requireNonNull(key, "key").name(), value);
            return this;
        }

        private void put(String name, String value) {
            int i = 0;
            while (i < count && !names[i].equals(name)) {
                i++;
            }
            if (i == names.length) {
                names = Arrays.copyOf(names, 2 * i);
                values = Arrays.copyOf(values, 2 * i);
            }
            names[i] = name;
            values[i] = value;
            count = Math.max(count, i + 1);
        }

        /**
         * Creates the context, which has the entries of the one that is installed on the current
         * thread and those that were added here, and installs it.
         *
         * @return the context, to be closed on this thread
         */
        public RecordingContext build() {
            if (!Agent.isActive) {
                return NONE;
            }
            Installed stack = Installed.current();
            Binding binding = extend(stack.top());
            Object handle = binding.handle;
            RecordingContext context;
            try {
                stack.reserve();
                if (handle != null) {
                    stack.reserveOwned();
                    stack.watch();
                }
                context = new RecordingContext(stack, stack.nextSlot(), stack.nextSerial());
            } catch (Throwable e) {
                release(handle);
                throw e;
            }
            stack.installReserved(binding, handle, 0, Recordings.NOW);
            return context;
        }

        /**
         * Creates the context like {@link #build}, without installing it.
         *
         * @return a snapshot of the context. Without an agent: {@link Snapshot#none}
         */
        public Snapshot snapshot() {
            if (!Agent.isActive) {
                return Snapshot.NONE;
            }
            Binding binding = extend(Installed.current().top());
            binding.snapshot = new Snapshot(binding);
            if (binding.handle != null) {
                Recordings.share(binding.handle);
            }
            return binding.snapshot;
        }

        // The result has no room to spare. This builder can be used again.
        private Binding extend(Binding before) {
            Builder all = new Builder();
            for (int i = 0; before != null && i < before.names.length; i++) {
                all.put(before.names[i], before.values[i]);
            }
            for (int i = 0; i < count; i++) {
                all.put(names[i], values[i]);
            }
            all.names = Arrays.copyOf(all.names, all.count);
            all.values = Arrays.copyOf(all.values, all.count);
            return new Binding(all, before);
        }
    }

    /** A context that can be installed again, on any thread and on several at once. */
    public static final class Snapshot {
        static final Snapshot NONE = new Snapshot(null);

        final Binding binding; // null: that none is installed

        private Snapshot(Binding binding) {
            this.binding = binding;
        }

        /**
         * Returns the snapshot of a thread on which no context is installed. A server activates it
         * before it begins a call, and a scheduler before a job: these extend nothing.
         *
         * @return the snapshot: while it is activated, no context applies
         */
        public static Snapshot none() {
            return NONE;
        }

        /**
         * Installs the context on the current thread, as it is: it does not extend the one that is
         * installed there. Of a snapshot without context, no context applies until the activation
         * is closed.
         *
         * @return the installation, to be closed on this thread
         */
        @ForceInline
        public Activation activate() {
            if (!Agent.isActive) {
                return Activation.NONE;
            }
            Installed stack = Installed.current();
            // First: there may be no memory for it.
            Activation activation = new Activation(stack, stack.nextSlot(), stack.nextSerial());
            stack.install(binding, Recordings.NOW);
            return activation;
        }

        /**
         * Sets the context of the current thread like the value of a {@code ThreadLocal}: nothing
         * needs to be closed. The call replaces a context that this method has set, and hides a
         * context that was installed by other means. The caller restores the earlier context by
         * setting a snapshot taken before.
         *
         * <p>This method is for libraries that carry values of threads, such as Micrometer's
         * context propagation. Applications use {@link #activate}.
         */
        public void setCurrent() {
            if (Agent.isActive) {
                Installed.current().replace(binding);
            }
        }

        /**
         * Returns whether this snapshot has a context.
         *
         * @return {@code false} if no context was installed when the snapshot was taken
         */
        public boolean hasContext() {
            return binding != null && binding.names.length > 0;
        }
    }

    /** An installation of a snapshot. */
    public static final class Activation implements AutoCloseable {
        private static final Activation NONE = new Activation(null, 0, 0);

        private final Installed stack; // null: there is no agent
        private final int slot;
        private final long serial;
        private boolean isClosed;

        private Activation(Installed stack, int slot, long serial) {
            this.stack = stack;
            this.slot = slot;
            this.serial = serial;
        }

        /** Uninstalls the context and puts the one before it back. */
        @Override
        @ForceInline
        public void close() {
            if (stack != null && !isClosed) {
                isClosed = true;
                stack.close(slot, serial);
            }
        }
    }

    /** The map itself, which the agent installs on the thread that takes up a task. */
    @SuppressWarnings("overloads") // andThen of both, as javac 21 says
    static final class Binding implements LongUnaryOperator, LongConsumer {
        private static final String[] NOTHING = {};

        final String[] names;
        final String[] values;
        final long request; // the id of the one to which it belongs
        Object handle; // null: it is not recorded. The same as long as it is installed somewhere
        Snapshot snapshot; // null: none was taken. Used by the creating thread, then by threads
                           // that received the snapshot

        // before: the context that it extends; null: a new request begins
        private Binding(Builder entries, Binding before) {
            boolean isRecorded = Agent.sink == null;
            names = entries.names;
            values = entries.values;
            request = before != null ? before.request : isRecorded ? Recordings.newRequest() : 0;
            handle = isRecorded ? Recordings.create(names, values, request) : null;
        }

        // Of a request that has no contexts yet.
        Binding(long request) {
            names = NOTHING;
            values = NOTHING;
            this.request = request;
        }

        // Installs this on the current thread at a time which the thread read just before this
        // call. Returns the serial number for Installed.applyAsLong(long, long).
        @Override
        public long applyAsLong(long time) {
            Installed stack = Installed.current();
            stack.reserve();
            use();
            return stack.installReserved(this, null, handle == null ? 0 : Installed.USES_MAP, time);
        }

        // Does the same for a thread that has just started, until it ends.
        @Override
        public void accept(long time) {
            Installed stack = Installed.current();
            stack.reserve();
            stack.reserveOwned();
            stack.watch();
            stack.installReserved(this, use(), 0, time);
        }

        // Returns the handle, with one more user.
        private Object use() {
            Object found = handle;
            return found == null || Recordings.use(found) ? found : renew();
        }

        // The map was released, as its context was closed long before the task begins.
        private synchronized Object renew() {
            if (!Recordings.use(handle)) {
                handle = Recordings.create(names, values, request);
                Recordings.noteCarried(handle);
            }
            return handle;
        }
    }

    /** The installations of each thread. */
    private static final class Stacks extends ThreadLocal<Installed> {
        @Override
        protected Installed initialValue() {
            return new Installed();
        }
    }

    /** What another thread has closed. */
    private static final class Misclosed {
        private final Misclosed next;
        private final int slot;
        private final long serial;

        private Misclosed(Misclosed next, int slot, long serial) {
            this.next = next;
            this.slot = slot;
            this.serial = serial;
        }
    }

    /**
     * The installations of a thread or of a fiber, the current one on top. Each has a serial
     * number, by which its close() finds it: later installations reuse the slot. setCurrent() uses
     * negative numbers, because nothing closes its installations.
     *
     * <p>Only the thread itself uses it, or the thread on which the fiber is mounted. {@link
     * #misclosed} is for all threads.
     */
    static final class Installed
            implements Supplier<LongUnaryOperator>, LongUnaryOperator, LongBinaryOperator {
        private static final ThreadLocal<Installed> CURRENT = new Stacks();
        private static final long CLOSED = 0; // a serial: closed before those above it
        static final long USES_MAP = 1L << 62; // in a serial: to uninstall removes a user

        private Thread thread; // null: a fiber's, or a thread's while a fiber is mounted on it
        private final AtomicReference<Misclosed> misclosed = new AtomicReference<>();
        private Binding[] bindings = new Binding[4];
        private long[] serials = new long[4];
        private int depth;
        private long lastSerial = CLOSED;
        private volatile Object mount; // of a fiber: the last one
        // In an array of one, by slot: the handles of maps of which this stack is a user. Null:
        // there was none.
        private Object[] owned;
        private boolean isWatched;

        // Creates the stack of the current thread.
        Installed() {
            thread = Thread.currentThread();
        }

        // Creates the stack of a fiber. bottom: its first context, null for none.
        Installed(Binding bottom) {
            bindings[0] = bottom;
            if (bottom != null) {
                serials[0] = ++lastSerial;
                depth = 1;
            }
        }

        static Installed current() {
            Installed stack = CURRENT.get();
            if (stack.misclosed.getOpaque() != null) {
                stack.settle();
            }
            return stack;
        }

        // Makes the stack of a fiber the current one of this thread. This stack is current now.
        void cover(Installed fiber, Object by) {
            fiber.settle();
            thread = null;
            fiber.mount = by;
            CURRENT.set(fiber);
            fiber.record(top(), fiber.top(), Recordings.NOW);
        }

        // Makes this stack the current one again, after cover(fiber, by).
        void uncover(boolean isFiber, Installed fiber, Object by) {
            // If another thread has mounted the fiber meanwhile, that thread changes its stack: the
            // stack does not say which context this thread recorded last.
            Binding shown = fiber.isCurrent() ? fiber.peek() : null;
            VarHandle.acquireFence();
            boolean isKnown = fiber.isCurrent() && fiber.mount == by;
            settle();
            thread = isFiber ? null : Thread.currentThread();
            CURRENT.set(this);
            if (isKnown) {
                record(shown, top(), Recordings.NOW);
            } else {
                recordAnew(top());
            }
            if (Agent.sink == null) {
                Recordings.setStack(this); // else the thread would keep that of a fiber that ends
            }
        }

        boolean isCurrent() {
            return CURRENT.get() == this;
        }

        // Returns the same as isCurrent(), without a look at the ThreadLocal in most cases.
        boolean isOfCaller() {
            return Thread.currentThread() == thread || thread == null && isCurrent();
        }

        // Returns top(), or any binding or null while another thread changes this stack.
        private Binding peek() {
            int count = depth;
            Binding[] all = bindings;
            return count == 0 || count > all.length ? null : all[count - 1];
        }

        Binding top() {
            return depth == 0 ? null : bindings[depth - 1];
        }

        // Returns where the next installation will be, and its serial number without flags.
        int nextSlot() {
            return depth;
        }

        long nextSerial() {
            return lastSerial + 1;
        }

        // Returns the context on top, to be carried to another thread; null if none is installed.
        @Override
        public LongUnaryOperator get() {
            if (misclosed.getOpaque() != null) {
                settle();
            }
            Binding top = top();
            if (top != null && top.handle != null) {
                Recordings.noteCarried(top.handle);
            }
            return top;
        }

        // Hides the context on top of the current thread, for a task that brings none. Returns the
        // serial number for applyAsLong(long, long).
        @Override
        public long applyAsLong(long time) {
            return current().install(null, time);
        }

        // Uninstalls, at a time, the context that the method above or Binding's has installed.
        @Override
        public long applyAsLong(long serial, long time) {
            int slot = Math.max(depth - 1, 0);
            while (slot > 0 && serials[slot] != serial) {
                slot--;
            }
            close(slot, serial, time);
            return 0;
        }

        boolean has(String name) {
            Binding top = top();
            for (int i = 0; top != null && i < top.names.length; i++) {
                if (top.names[i].equals(name)) {
                    return true;
                }
            }
            return false;
        }

        // Puts a context on top, null for none, and returns its serial number.
        long install(Binding next, long time) {
            reserve();
            return installReserved(next, null, 0, time);
        }

        // Does the same after reserve. If it throws, the context is not installed, and has lost the
        // user that the caller has added.
        //
        // owned: a handle of which this stack is a user until the context is uninstalled, after
        // reserveOwned; null for none. flags: as for push
        long installReserved(Binding next, Object owned, long flags, long time) {
            Binding before = top();
            long serial = push(next, flags);
            try {
                if (owned != null) {
                    own(owned);
                }
                record(before, next, time);
            } catch (Throwable e) {
                bindings[--depth] = null; // without a call: there may be no stack for one
                serials[depth] = CLOSED;
                undo(next, before, (flags & USES_MAP) == 0 ? owned : next.handle, time);
                throw e;
            }
            return serial;
        }

        // The record that failed may be written all the same.
        private void undo(Binding next, Binding before, Object used, long time) {
            disown(depth);
            try {
                record(next, before, time);
            } finally {
                release(used);
            }
        }

        // Installs a context, null for none, in place of earlier ones of replace() on top.
        void replace(Binding next) {
            Binding before = top();
            while (depth > 0 && serials[depth - 1] <= CLOSED) {
                depth--;
            }
            if (top() != next) {
                reserve();
                push(next, 0);
                serials[depth - 1] = -lastSerial;
            }
            record(before, next, Recordings.NOW);
        }

        // Makes room for one more installation, so that push allocates nothing.
        void reserve() {
            if (depth == bindings.length) {
                Binding[] more = Arrays.copyOf(bindings, 2 * depth);
                serials = Arrays.copyOf(serials, 2 * depth);
                bindings = more;
            }
        }

        // The same for own.
        void reserveOwned() {
            if (owned == null) {
                owned = new Object[] {new Object[bindings.length]};
            } else if (((Object[]) owned[0]).length < bindings.length) {
                owned[0] = Arrays.copyOf((Object[]) owned[0], bindings.length);
            }
        }

        // After reserve. Returns the serial number. flags: 0 or USES_MAP
        long push(Binding next, long flags) {
            long serial = ++lastSerial | flags;
            bindings[depth] = next;
            serials[depth] = serial;
            depth++;
            return serial;
        }

        // Makes this stack a user of the map on top until that installation is closed.
        void own(Object handle) {
            ((Object[]) owned[0])[depth - 1] = handle;
        }

        // Removes this user once this stack is unreachable.
        void watch() {
            if (!isWatched) {
                Recordings.watch(this, owned);
                isWatched = true;
            }
        }

        // Takes the ownership of a slot's content.
        private Object disown(int slot) {
            Object[] handles = owned == null ? null : (Object[]) owned[0];
            if (handles == null || slot >= handles.length) {
                return null;
            }
            Object handle = handles[slot];
            handles[slot] = null;
            return handle;
        }

        // Has others install the map on top, too.
        Snapshot share(Binding top) {
            if (top.snapshot == null) {
                if (top.handle != null) {
                    Recordings.share(top.handle);
                }
                top.snapshot = new Snapshot(top);
            }
            return top.snapshot;
        }

        void close(int slot, long serial) {
            close(slot, serial, Recordings.NOW);
        }

        private void close(int slot, long serial, long time) {
            if (!isOfCaller()) {
                countMisclosed();
                Misclosed before;
                do {
                    before = misclosed.get();
                } while (!misclosed.compareAndSet(before, new Misclosed(before, slot, serial)));
                return;
            }
            if (misclosed.getOpaque() != null) {
                settle();
            }
            if (slot != depth - 1) {
                countMisclosed();
            }
            remove(slot, serial, time);
        }

        private static void countMisclosed() {
            if (Agent.sink == null) {
                Recordings.countMisclosed();
            }
        }

        // An installation below the top stays as a place without context until it is on top.
        private void remove(int slot, long serial, long time) {
            if (slot >= depth || serials[slot] != serial) {
                return;
            }
            Binding before = top();
            Object used =
                    (serial & USES_MAP) == 0 || serial < 0 ? disown(slot) : bindings[slot].handle;
            bindings[slot] = null;
            serials[slot] = CLOSED;
            while (depth > 0 && serials[depth - 1] == CLOSED) {
                depth--;
            }
            if (isOfCaller()) {
                record(before, top(), time);
            }
            release(used);
        }

        private void settle() {
            for (Misclosed m = misclosed.getAndSet(null); m != null; m = m.next) {
                remove(m.slot, m.serial, Recordings.NOW);
            }
        }

        private void record(Binding before, Binding now, long time) {
            Object handle = now == null ? null : now.handle;
            if (handle != null) {
                if (now != before) {
                    Recordings.set(handle, this, time);
                } else {
                    Recordings.setStack(this); // another one may have recorded the same context
                }
            } else if (before != null && before.handle != null) {
                Recordings.unset(time);
            } else if (now != before && Agent.sink != null) {
                recordIn(Agent.sink, now);
            }
        }

        // Records the context on top of this stack, whichever was recorded before.
        private void recordAnew(Binding now) {
            ContextSink sink = Agent.sink;
            if (now != null && (now.handle != null || sink != null)) {
                record(null, now, Recordings.NOW);
            } else if (sink != null) {
                recordIn(sink, null);
            } else {
                Recordings.unsetAny();
            }
        }

        private static void recordIn(ContextSink sink, Binding now) {
            sink.install(now == null ? null : now.names, now == null ? null : now.values);
        }
    }
}
