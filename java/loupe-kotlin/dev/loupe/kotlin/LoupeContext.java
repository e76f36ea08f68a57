// SPDX-License-Identifier: Apache-2.0
package dev.loupe.kotlin;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextFiber;
import dev.loupe.RecordingContextKey;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.CopyableThreadContextElement;

/**
 * A coroutine's own {@link RecordingContext}s. The coroutine carries them between threads.
 *
 * <pre>{@code
 * launch(LoupeContext()) {
 *   withContext(LoupeContext.where(ENDPOINT, "/pay")) {
 *     RecordingContext.where(USER, "u1").build().use { delay(50) }
 *   }
 * }
 * }</pre>
 *
 * <p>Child coroutines begin with the context that is installed where they are launched. If a
 * coroutine suspends inside a context, this element removes the context from the thread and
 * installs it again when the coroutine resumes, on any thread.
 *
 * <p>Without this element a context belongs to the thread: if a coroutine suspends inside a
 * context, the next coroutines on that thread run in it.
 */
public final class LoupeContext extends AbstractCoroutineContextElement
        implements CopyableThreadContextElement<RecordingContextFiber.Mount> {
    /** The key of the element in a {@code CoroutineContext}. */
    public static final CoroutineContext.Key<LoupeContext> KEY = new Key();

    private static final class Key implements CoroutineContext.Key<LoupeContext> {}

    private final RecordingContextFiber fiber;

    /** Creates an element with the context that is installed on the current thread, if any. */
    public LoupeContext() {
        this(RecordingContext.snapshot());
    }

    /**
     * Creates an element with the context of a snapshot.
     *
     * @param snapshot the snapshot
     */
    public LoupeContext(RecordingContext.Snapshot snapshot) {
        super(KEY);
        this.fiber = RecordingContextFiber.of(snapshot);
    }

    /**
     * Returns an element with one more entry than the context that is installed on the current
     * thread.
     *
     * @param key the key
     * @param value the value; may be null
     * @return the element
     */
    public static LoupeContext where(RecordingContextKey key, String value) {
        return new LoupeContext(RecordingContext.where(key, value).snapshot());
    }

    @Override
    public RecordingContextFiber.Mount updateThreadContext(CoroutineContext context) {
        return fiber.mount();
    }

    @Override
    public void restoreThreadContext(CoroutineContext context, RecordingContextFiber.Mount mount) {
        mount.close();
    }

    @Override
    public CopyableThreadContextElement<RecordingContextFiber.Mount> copyForChild() {
        return new LoupeContext(fiber.snapshot());
    }

    @Override
    public CoroutineContext mergeForChild(CoroutineContext.Element overwriting) {
        return ((LoupeContext) overwriting).copyForChild();
    }
}
