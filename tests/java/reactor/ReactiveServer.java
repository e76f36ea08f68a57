// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.examples.ReactiveOrders;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Phaser;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * An application of Spring WebFlux, until its input ends. Each request says which context it has to
 * be in; nothing in here is about Loupe. With the argument {@code chains} it first runs
 * {@link ReactorE2E}.
 */
@Configuration
@EnableAutoConfiguration
@Import({ReactiveServer.Desk.class, ReactiveOrders.class})
public class ReactiveServer {
    private static final Duration SHORT = Duration.ofMillis(1);

    // Clients have their answers before the last events are made.
    private static final Phaser ENDED = new Phaser(1);

    /** What it serves. */
    @RestController
    static class Desk {
        @GetMapping("/plain/{id}")
        String plain(@PathVariable String id, @RequestHeader String expected) {
            ReactorE2E.work(expected);
            return id;
        }

        @GetMapping("/mono/{id}")
        Mono<String> mono(@PathVariable String id, @RequestHeader String expected) {
            ReactorE2E.work(expected);
            return Mono.delay(SHORT).map(x -> id).doOnNext(x -> ReactorE2E.work(expected));
        }

        @GetMapping("/flux/{id}")
        Flux<String> flux(@PathVariable String id, @RequestHeader String expected) {
            return Flux.fromIterable(List.of("", id, ""))
                    .delayElements(SHORT)
                    .doOnNext(x -> ReactorE2E.work(expected));
        }

        @PostMapping("/body/{id}")
        Mono<String> body(@PathVariable String id, @RequestHeader String expected,
                @RequestBody Mono<String> body) {
            return body.publishOn(Schedulers.boundedElastic())
                    .doOnNext(x -> ReactorE2E.work(expected));
        }

        @GetMapping("/fail/{id}")
        Mono<String> fail(@PathVariable String id, @RequestHeader String expected) {
            return Mono.delay(SHORT).map(x -> {
                ReactorE2E.work(expected);
                throw new IllegalStateException(id);
            });
        }

        @ExceptionHandler
        Mono<String> failed(IllegalStateException e, @RequestHeader String expected) {
            return Mono.delay(SHORT).map(x -> {
                ReactorE2E.work(expected);
                return e.getMessage();
            });
        }
    }

    @Bean
    RouterFunction<ServerResponse> function() {
        return RouterFunctions.route().GET("/function/{id}", this::function).build();
    }

    private Mono<ServerResponse> function(ServerRequest request) {
        String expected = request.headers().firstHeader("expected");
        ReactorE2E.work(expected);
        return ServerResponse.ok().bodyValue(request.pathVariable("id")).flatMap(answer -> {
            ReactorE2E.work(expected);
            return Mono.delay(SHORT).map(x -> answer).doOnNext(x -> ReactorE2E.work(expected));
        });
    }

    // In the request, before there is a handler, and when that is done.
    @Bean
    @Order(0)
    WebFilter inside() {
        return (exchange, chain) -> {
            String expected = exchange.getRequest().getHeaders().getFirst("inside");
            ReactorE2E.work(expected);
            ENDED.register();
            return chain.filter(exchange).doFinally(signal -> {
                ReactorE2E.work(expected);
                ENDED.arriveAndDeregister();
            });
        };
    }

    // On the server's threads, around all that is of the application.
    @Bean
    HttpHandlerDecoratorFactory outside() {
        return handler -> (request, response) -> {
            ReactorE2E.work("");
            ENDED.register();
            return handler.handle(request, response).doFinally(signal -> {
                ReactorE2E.work("");
                ENDED.arriveAndDeregister();
            });
        };
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("chains")) {
            ReactorE2E.run();
        }
        ConfigurableApplicationContext application =
                SpringApplication.run(ReactiveServer.class, args);
        System.out.println("port " + application.getEnvironment().getProperty("local.server.port"));
        while (System.in.read() >= 0) {
        }
        ENDED.arriveAndAwaitAdvance();
        application.close();
    }
}
