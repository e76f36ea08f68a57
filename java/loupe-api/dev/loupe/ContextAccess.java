// SPDX-License-Identifier: Apache-2.0
package dev.loupe;

import dev.loupe.internal.AccessMembers;
import dev.loupe.internal.Agent;
import dev.loupe.internal.ContextAccesses;
import dev.loupe.internal.ContextSink;
import java.lang.reflect.Member;
import java.util.List;
import java.util.Objects;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * Makes contexts from instances of a class that is annotated with {@code jdk.jfr.Name} and does not
 * extend {@link ContextType}.
 *
 * <pre>{@code
 * @Name("tracer-context")
 * interface SpanContext {
 *   @Name("traceid") String traceId();
 *   @Name("spanid") long spanId();
 * }
 *
 * static final ContextAccess<SpanContext> ACCESS = ContextAccess.forType(SpanContext.class);
 *
 * ACCESS.set(spanContext);
 * try {
 *   work();
 * } finally {
 *   ACCESS.unset();
 * }
 * }</pre>
 *
 * <p>The attributes are the fields and the methods without parameters that carry {@code @Name}, of
 * the class, its superclasses and all their interfaces, independent of their access. Each has a
 * primitive type, {@code String} or {@code CharSequence}. If a method overrides an annotated
 * one, its own annotation counts. For a component of a record the field is read. Attributes are in
 * the order of the source: fields before methods, subclasses before superclasses. If the class
 * loader has no class file to read, the methods of a class are in the order of their names. {@code
 * @Label}, {@code @Description} and {@link Hex} apply as in {@link ContextType}.
 *
 * <p>Contexts of a class follow the rules of {@link ContextType}. At most one of them is open on a
 * thread: setting one replaces the previous one for good, which is why an access is not {@code
 * AutoCloseable} either. A type may have 16 attributes, all types together 32. A type that exceeds
 * this is logged and records nothing.
 *
 * <p>Methods are called by {@link #set}, on the thread that calls it, before anything is recorded.
 * If one throws an {@link Exception}, that attribute is null or 0. An {@link Error} goes to the
 * caller of {@code set}, and the context that was open stays open. The same is true of
 * {@code toString} of an attribute that is another {@code CharSequence} than a {@code String}.
 *
 * <p>Without the agent {@link #set} and {@link #unset} do nothing. With it they do not lock,
 * allocate or make a system call, unless the class's own methods do. Keep an access in a
 * {@code static final} field: it is compiled to direct reads and calls there.
 *
 * <p>An access may be used by any number of threads. It keeps the class from being unloaded as long
 * as it is reachable itself; nothing else here does.
 *
 * @param <T> the class whose instances are contexts
 */
public final class ContextAccess<T> {
    // The JVM heeds these annotations where the class is the agent's. With them the whole of set is
    // compiled into a caller that has the access in a static final field; otherwise it might be
    // compiled for itself, which knows no field and no getter.
    @Stable private final Class<T> type;
    // What ContextAccesses.register gave; null: the agent was not there yet. As in ContextType, no
    // class of the agent is named.
    @Stable private Object writer;

    private ContextAccess(Class<T> type) {
        this.type = type;
    }

    /**
     * Creates an access to a class and registers it as a context type. Two accesses to a class, or
     * to classes whose recorded attributes are equal, have the same type.
     *
     * @param <T> the class whose instances are contexts
     * @param type the class; an interface, a record and a hidden class are fine
     * @return the access
     * @throws IllegalArgumentException if the class does not fit, with the reason: it has no {@code
     *         @Name}; none of its fields and methods has; two attributes have the same name; an
     *         annotated member is static, has parameters or has another type; or its module has
     *         not opened its package. Also thrown without the agent. Not thrown if the JVM lacks
     *         the module {@code jdk.jfr}, or if a security manager denies access: then the access
     *         records nothing
     */
    public static <T> ContextAccess<T> forType(Class<T> type) {
        Objects.requireNonNull(type, "type");
        ContextAccess<T> access = new ContextAccess<>(type);
        if (ModuleLayer.boot().findModule("jdk.jfr").isPresent()) {
            AccessMembers.find(type);
        }
        if (Agent.isActive) {
            access.findWriter();
        }
        return access;
    }

    /**
     * Ends the context of this type that is open on the current thread, if any, and begins a new
     * one with the values that the attributes have now.
     *
     * @param context the instance; it is not kept. With {@code null} no new context begins
     * @throws ClassCastException if it is not an instance of the class
     */
    @ForceInline
    public void set(T context) {
        if (!Agent.isActive) {
            return;
        }
        if (context == null) {
            unset();
            return;
        }
        T checked = type.cast(context);
        Object known = findWriter();
        if (known != null) {
            ContextAccesses.set(known, checked);
            return;
        }
        ContextSink sink = Agent.sink;
        if (sink != null) {
            sink.set(type, checked);
        }
    }

    /**
     * Ends the context of this type that is open on the current thread, whichever instance it was
     * set with, if any.
     */
    @ForceInline
    public void unset() {
        if (!Agent.isActive) {
            return;
        }
        Object known = findWriter();
        if (known != null) {
            ContextAccesses.unset(known);
            return;
        }
        ContextSink sink = Agent.sink;
        if (sink != null) {
            sink.unset(type);
        }
    }

    // Null: there is a sink, which needs none. Several threads may register at once; they get the
    // same.
    @ForceInline
    private Object findWriter() {
        if (writer == null && Agent.sink == null) {
            writer = register();
        }
        return writer;
    }

    private Object register() {
        List<Member> members;
        try {
            members = AccessMembers.find(type);
        } catch (IllegalArgumentException e) {
            members = null; // forType could not look
        }
        return ContextAccesses.register(ContextType.class, type, members);
    }
}
