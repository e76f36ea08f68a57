// SPDX-License-Identifier: Apache-2.0
package dev.loupe.examples;

import java.time.Duration;
import jdk.jfr.Event;
import jdk.jfr.Name;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/**
 * A service of Spring WebFlux. With loupe-spring-boot-starter each request is a context: nothing in
 * here is about that.
 */
@EnableAutoConfiguration
@RestController
public class ReactiveOrders {
    /** An event in a request, on a thread of Reactor's. */
    @Name("shop.OrderServed")
    static final class OrderServed extends Event {
        String order;
    }

    @GetMapping("/orders/{id}")
    Mono<String> order(@PathVariable String id) {
        return Mono.delay(Duration.ofMillis(5)).map(x -> {
            OrderServed event = new OrderServed();
            event.order = id;
            event.commit();
            return "order " + id;
        });
    }

    public static void main(String[] args) {
        SpringApplication.run(ReactiveOrders.class, args);
    }
}
