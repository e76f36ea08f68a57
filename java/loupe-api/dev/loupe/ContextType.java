// SPDX-License-Identifier: Apache-2.0
package dev.loupe;

import dev.loupe.internal.Agent;
import dev.loupe.internal.ContextSink;
import dev.loupe.internal.ContextTypes;
import dev.loupe.internal.Rings;
import java.util.stream.Stream;

/**
 * A kind of context, declared in the way of a custom JFR event: a subclass whose fields are the
 * attributes.
 *
 * <pre>{@code
 * @Name("tracer-context") @Description("Tracer context, a [traceid, spanid] tuple")
 * public class TracerContextType extends ContextType {
 *   @Name("traceid") @Description("The id of a single trace") public String traceid;
 *   @Name("spanid") public String spanid;
 * }
 * }</pre>
 *
 * <p>Each field with {@code @Name} is an attribute. Its type is a primitive type, {@code String} or
 * {@code CharSequence}. A static field, a transient field, and a private field of a superclass are
 * none. Fields without {@code @Name} are attributes if their class has {@link AllFields}, or if the
 * agent has the option {@code fields=all}. If a type has fields that could be attributes and are
 * not recorded, the agent logs one warning that names them; a transient field needs none. A type
 * may have 16 attributes, all registered types together 32. {@code jdk.jfr}'s {@code @Name}, {@code
 * @Label} and {@code @Description} apply to the type and to its fields.
 *
 * <p>The type takes effect once it is {@linkplain Loupe#registerContext registered} or named by a
 * {@link Registration}.
 *
 * <p>A context belongs to the thread that set it, a virtual thread being a thread of its own. Of
 * each type at most one context is open on a thread. It ends when the thread sets another one of
 * the type, unsets it, or ends. A task that the thread hands to an executor or a virtual thread
 * begins with a context of the same values. An instance is only the carrier of the attributes: it
 * can be used again, and by several threads as long as not at the same time.
 *
 * <p>A type is not {@code AutoCloseable}. The end of a try-with-resources block would have to
 * restore the previous context; but {@link #set} replaces it for good. If a context should end with
 * a block, call {@link #unset} in a {@code finally}. A
 * context that nests is a {@link RecordingContext}, which is closed by try-with-resources.
 *
 * <p>{@link #set} and {@link #unset} do not lock, allocate or make a system call. (An attribute
 * whose value is a {@code CharSequence} other than {@code String} is turned into one, which
 * allocates.)
 */
public abstract class ContextType {
    // A dev.loupe.internal.ring.ContextLayout; null: this instance does not know of a registration.
    // It and the signatures below name no class of the agent, because that may come later and with
    // another copy of it than this class would see.
    private Object layout;

    /** Creates a carrier of attributes. It begins no context. */
    protected ContextType() {
        if (Agent.isActive) {
            findLayout();
        }
    }

    /**
     * Returns whether {@link #set} would record anything: whether the agent is there and this type
     * is registered.
     *
     * @return {@code false} if the attributes need not be filled in
     */
    public final boolean isActive() {
        return Agent.isActive && (layout != null || findLayout() || Agent.sink != null);
    }

    /**
     * Ends the context of this type that is open on the current thread, if any, and begins a new
     * one with the values that the attributes have now.
     */
    public final void set() {
        if (!Agent.isActive) {
            return;
        }
        if (layout != null || findLayout()) {
            Rings.set(layout, this);
            return;
        }
        ContextSink sink = Agent.sink;
        if (sink != null) {
            sink.set(getClass(), this);
        }
    }

    /**
     * Ends the context of this type that is open on the current thread, whichever instance has set
     * it, if any.
     */
    public final void unset() {
        if (!Agent.isActive) {
            return;
        }
        if (layout != null || findLayout()) {
            Rings.unset(layout);
            return;
        }
        ContextSink sink = Agent.sink;
        if (sink != null) {
            sink.unset(getClass());
        }
    }

    // The type may have been registered after this instance was made. A sink has no layouts.
    private boolean findLayout() {
        if (Agent.sink == null) {
            layout = ContextTypes.find(getClass());
        }
        return layout != null;
    }

    /**
     * Names context types that Loupe registers before the first use of the API.
     * Implementations are found through {@link java.util.ServiceLoader}.
     */
    public interface Registration {
        /**
         * Returns the types.
         *
         * @return the types to register, in this order
         */
        Stream<Class<? extends ContextType>> types();
    }
}
