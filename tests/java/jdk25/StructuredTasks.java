// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.Loupe;
import dev.loupe.RecordingContext;
import java.util.concurrent.Callable;
import java.util.concurrent.StructuredTaskScope;

/** PropagationE2E, and before it the same with structured tasks. */
public final class StructuredTasks {
    private static final int ROUNDS = 20;

    private StructuredTasks() {}

    public static void main(String[] args) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            String endpoint = PropagationE2E.endpoint();
            try (var context = RecordingContext.where(PropagationE2E.ENDPOINT, endpoint).build()) {
                fork(endpoint);
            }
        }
        PropagationE2E.main(args);
    }

    private static void fork(String endpoint) throws InterruptedException {
        Callable<String> inside = () -> {
            PropagationE2E.mark(endpoint);
            return endpoint;
        };
        Runnable outside = () -> PropagationE2E.mark(null);
        try (var scope = StructuredTaskScope.open()) {
            var first = scope.fork(Loupe.wrap(inside));
            var second = scope.fork(Loupe.wrap(inside));
            scope.fork(outside); // not wrapped: a context is of one thread
            scope.join();
            if (!endpoint.equals(first.get()) || !endpoint.equals(second.get())) {
                throw new AssertionError("another result");
            }
        }
    }
}
