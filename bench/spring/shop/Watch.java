// SPDX-License-Identifier: Apache-2.0

package shop;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Aspects around all services: one counts calls, one measures them. */
final class Watch {
    private Watch() {}

    @Aspect
    @Component
    @Order(1)
    static class Counter {
        private final Map<String, LongAdder> calls = new ConcurrentHashMap<>();

        @Around("within(@org.springframework.stereotype.Service *)")
        Object count(ProceedingJoinPoint call) throws Throwable {
            calls.computeIfAbsent(call.getSignature().toShortString(), name -> new LongAdder())
                    .increment();
            return call.proceed();
        }
    }

    @Aspect
    @Component
    @Order(2)
    static class Timer {
        private final Map<String, LongAdder> nanos = new ConcurrentHashMap<>();

        @Around("within(@org.springframework.stereotype.Service *)")
        Object measure(ProceedingJoinPoint call) throws Throwable {
            long begin = System.nanoTime();
            try {
                return call.proceed();
            } finally {
                nanos.computeIfAbsent(call.getSignature().getName(), name -> new LongAdder())
                        .add(System.nanoTime() - begin);
            }
        }
    }
}
