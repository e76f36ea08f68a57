// SPDX-License-Identifier: Apache-2.0
package dev.loupe.examples;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import dev.loupe.micrometer.RecordingContextAccessor;
import java.time.Duration;
import java.util.function.Consumer;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A request that is served by a chain of Reactor's. It needs {@code
 * Hooks.enableAutomaticContextPropagation()}, once, when the application starts.
 */
public final class ReactiveCheckout {
    private static final RecordingContextKey ENDPOINT = RecordingContextKey.forName("endpoint");
    private static final RecordingContextKey STEP = RecordingContextKey.forName("step");

    private ReactiveCheckout() {}

    /**
     * Returns the request.
     *
     * @param served is called where work is done, with the context that applies there
     */
    public static Mono<String> checkout(Consumer<String> served) {
        return Mono.delay(Duration.ofMillis(1))
                .doOnNext(x -> served.accept("endpoint=/checkout"))
                .publishOn(Schedulers.boundedElastic())
                .map(x -> price(served))
                .contextWrite(c
                        -> c.put(RecordingContextAccessor.KEY,
                                RecordingContext.where(ENDPOINT, "/checkout").snapshot()));
    }

    // Code between two operators installs contexts as any other code does.
    private static String price(Consumer<String> served) {
        try (RecordingContext context = RecordingContext.where(STEP, "price").build()) {
            served.accept("endpoint=/checkout,step=price");
        }
        served.accept("endpoint=/checkout");
        return "5";
    }
}
