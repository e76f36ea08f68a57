// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import dev.loupe.internal.Rings;
import dev.loupe.internal.agent.Native;
import dev.loupe.internal.ring.RingOwners;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Ends the contexts of threads that ended without doing so. The end of a platform thread is
 * an event of the JVM; that of a virtual one would slow each of them down. So the threads with open
 * contexts are compared with the living ones from time to time. Until then such a context only
 * takes its place: no event can fall into it any more.
 *
 * <p>One thread at a time uses it.
 */
final class DeadThreads {
    private final Method root;
    private final Method children;
    private final Method threads;
    private Set<Long> openBefore = Set.of();
    private Set<Long> missedBefore = Set.of(); // open, and not found by the last walk

    private DeadThreads(Method root, Method children, Method threads) {
        this.root = root;
        this.children = children;
        this.threads = threads;
    }

    /** Makes one; null where this JVM has no virtual threads or does not keep track of them. */
    static DeadThreads create() {
        try {
            Class<?> containers = Class.forName("jdk.internal.vm.ThreadContainers");
            Class<?> container = Class.forName("jdk.internal.vm.ThreadContainer");
            if (!(boolean) containers.getMethod("trackAllThreads").invoke(null)) {
                return null;
            }
            return new DeadThreads(containers.getMethod("root"), container.getMethod("children"),
                    container.getMethod("threads"));
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }

    /**
     * Ends the contexts of threads that two calls in a row did not find alive. A walk may miss a
     * living thread: while the JVM closes a scope (JDK 25, {@code ThreadContainers.top}), it does
     * not see the scopes around it. Cheap if no context is open for long.
     */
    void end() throws ReflectiveOperationException {
        Set<Long> open = new HashSet<>();
        for (long thread : Native.openThreads()) {
            open.add(thread);
        }
        Set<Long> missed = new HashSet<>(open);
        missed.retainAll(openBefore); // most contexts are short: there is nothing to look for
        openBefore = open;
        if (!missed.isEmpty()) {
            removeAlive(root.invoke(null), missed);
        }
        for (Iterator<Long> it = missed.iterator(); it.hasNext();) {
            long thread = it.next();
            if (missedBefore.contains(thread)) {
                it.remove();
                Rings.endThread(thread);
            }
        }
        missedBefore = missed;
    }

    // A thread that lives is in a container from before its first context to its end.
    private void removeAlive(Object container, Set<Long> suspects)
            throws ReflectiveOperationException {
        try (Stream<?> alive = (Stream<?>) threads.invoke(container)) {
            alive.forEach(thread -> suspects.remove(RingOwners.idOf((Thread) thread)));
        }
        try (Stream<?> inner = (Stream<?>) children.invoke(container)) {
            for (Object child : inner.toList()) {
                removeAlive(child, suspects);
            }
        }
    }
}
