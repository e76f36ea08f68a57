// SPDX-License-Identifier: Apache-2.0
package dev.loupe.vertx;

import io.vertx.core.impl.VertxThread;
import io.vertx.core.spi.VertxThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Creates the threads of Vert.x, event loops and workers. Vert.x finds this factory by
 * {@link java.util.ServiceLoader}, and uses it unless the application sets another one.
 */
public final class LoupeThreadFactory implements VertxThreadFactory {
    /** For Vert.x. */
    public LoupeThreadFactory() {
        VertxContext.load(); // before the first instance of Vert.x starts
    }

    @Override
    public VertxThread newVertxThread(
            Runnable target, String name, boolean worker, long maxTime, TimeUnit unit) {
        return new LoupeThread(target, name, worker, maxTime, unit);
    }
}
