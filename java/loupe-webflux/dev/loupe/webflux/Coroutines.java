// SPDX-License-Identifier: Apache-2.0
package dev.loupe.webflux;

import dev.loupe.RecordingContext;
import dev.loupe.kotlin.LoupeContext;
import java.util.Map;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Dispatchers;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.CoWebFilter;
import org.springframework.web.server.ServerWebExchange;

/** Gives the coroutines of a request its context, if the application has loupe-kotlin. */
final class Coroutines {
    private static final boolean ARE_THERE = isPresent("dev.loupe.kotlin.LoupeContext")
            && isPresent("kotlinx.coroutines.CopyableThreadContextElement")
            && isPresent("org.springframework.web.server.CoWebFilter");

    private Coroutines() {}

    private static boolean isPresent(String name) {
        return ClassUtils.isPresent(name, Coroutines.class.getClassLoader());
    }

    /**
     * Starts the suspending filters and handlers of the exchange in this context. They have the
     * elements of CoWebFilters, too.
     */
    static void begin(ServerWebExchange exchange, RecordingContext.Snapshot snapshot) {
        if (ARE_THERE) {
            Starter.begin(exchange.getAttributes(), snapshot);
        }
    }

    // Needs Kotlin.
    private static final class Starter {
        static void begin(Map<String, Object> attributes, RecordingContext.Snapshot snapshot) {
            attributes.compute(CoWebFilter.COROUTINE_CONTEXT_ATTRIBUTE,
                    (name, earlier) -> contextOf(earlier).plus(new LoupeContext(snapshot)));
        }

        // As Spring starts suspending functions without the attribute.
        private static CoroutineContext contextOf(Object earlier) {
            return earlier == null ? Dispatchers.getUnconfined() : (CoroutineContext) earlier;
        }
    }
}
