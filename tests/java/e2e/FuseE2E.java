// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.ContextAccess;
import dev.loupe.Loupe;
import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Uses all of the API, with and without the agent, which may turn itself off meanwhile.
 *
 * <pre>FuseE2E STOP_FILE</pre>
 *
 * Prints "at N" every 100 rounds, "off" once contexts are no longer recorded, and "done" at the
 * end.
 */
public final class FuseE2E {
    private static final RecordingContextKey KEY = RecordingContextKey.forName("key");
    private static final ContextAccess<AccessTypes.Over> ACCESS =
            ContextAccess.forType(AccessTypes.Over.class);

    private FuseE2E() {}

    public static void main(String[] args) throws Exception {
        boolean wasActive = false;
        Marks.Order order = new Marks.Order();
        for (int round = 1; !Files.exists(Path.of(args[0])); round++) {
            Loupe.registerContext(Marks.Order.class);
            Loupe.registerContext(round % 2 == 0 ? Marks.Span.class : Marks.Rest.class);
            Thread thread = new Thread(() -> work(order));
            thread.start();
            thread.join();
            if (VirtualThreads.areThere()) {
                Thread virtual = VirtualThreads.factory().newThread(() -> work(new Marks.Order()));
                virtual.start();
                virtual.join();
            }
            RecordingContext context = RecordingContext.where(KEY, "x").build();
            boolean isActive = KEY.isBound();
            context.close();
            if (wasActive && !isActive) {
                System.out.println("off");
            }
            wasActive = isActive;
            if (round % 100 == 0) {
                System.out.println("at " + round);
            }
        }
        System.out.println("done");
    }

    private static void work(Marks.Order order) {
        order.set();
        ACCESS.set(new AccessTypes.Over(1));
        RecordingContext context = RecordingContext.where(KEY, "value").build();
        new Marks.Tick().commit();
        context.close();
        ACCESS.unset();
        order.unset();
    }
}
