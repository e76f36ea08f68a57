// SPDX-License-Identifier: Apache-2.0
package dev.loupe.vertx;

import dev.loupe.RecordingContext;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxThread;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A thread of Vert.x whose {@link RecordingContext} follows the context of Vert.x: requests take
 * turns on the thread.
 *
 * <p>Vert.x has no callback for the begin and the end of a handler. But it sets the thread's
 * context class loader then, right after it has changed the context.
 */
final class LoupeThread extends VertxThread {
    // The contexts of Vert.x whose handlers run now, the innermost last, and the installation for
    // each of them, or null. Only this thread uses them.
    private Context[] contexts = new Context[4];
    private RecordingContext.Activation[] activations = new RecordingContext.Activation[4];
    private int depth;

    LoupeThread(Runnable target, String name, boolean worker, long maxTime, TimeUnit unit) {
        super(target, name, worker, maxTime, unit);
    }

    @Override
    public void setContextClassLoader(ClassLoader loader) {
        super.setContextClassLoader(loader);
        if (Thread.currentThread() == this) {
            follow(Vertx.currentContext());
        }
    }

    // An application may set the class loader, too: the context is the same then. If A calls B and
    // B calls A, this takes the second call for a return to A. It installs the right context
    // anyway, and again at the real return.
    private void follow(Context current) {
        if (current == null) {
            leave(0);
        } else if (depth > 1 && contexts[depth - 2] == current) {
            leave(depth - 1);
        } else if (depth == 0 || contexts[depth - 1] != current) {
            enter(current);
        }
    }

    private void enter(Context current) {
        if (depth == contexts.length) {
            contexts = Arrays.copyOf(contexts, 2 * depth);
            activations = Arrays.copyOf(activations, 2 * depth);
        }
        RecordingContext.Snapshot kept = VertxContext.keptBy(current);
        if (kept == null && depth > 0) {
            kept = RecordingContext.Snapshot.none(); // the outer one belongs to other work
        }
        contexts[depth] = current;
        activations[depth] = kept == null ? null : kept.activate();
        depth++;
    }

    private void leave(int remaining) {
        while (depth > remaining) {
            depth--;
            if (activations[depth] != null) {
                activations[depth].close();
                activations[depth] = null;
            }
            contexts[depth] = null;
        }
    }
}
