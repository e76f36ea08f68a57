// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application of Spring Boot whose requests take as long as they say, until its input ends.
 * Tomcat writes an access log. Each request sets two attributes of the application's own, one after
 * the other, as many applications do. With -De2e.events=true there are none, and a filter makes
 * each request an event.
 */
@Configuration
@EnableAutoConfiguration
@Import(AccessLogServer.Desk.class)
public class AccessLogServer {
    private static final boolean HAS_CONTEXTS = !Boolean.getBoolean("e2e.events");
    private static final RecordingContextKey ORDER = RecordingContextKey.forName("order");
    private static final RecordingContextKey STEP = RecordingContextKey.forName("step");

    /** What the policy of the test makes a context. */
    @Name("e2e.Served")
    @StackTrace(false)
    static final class Served extends Event {
        String order;
    }

    /** An event in a request. */
    @Name("e2e.Step")
    @StackTrace(false)
    static final class Step extends Event {
        String order;
    }

    /** What it serves. */
    @RestController
    static class Desk {
        private final ExecutorService pool = Executors.newFixedThreadPool(4, task -> {
            Thread thread = new Thread(task, "later");
            thread.setDaemon(true);
            return thread;
        });

        private static void step(String order, int millis) {
            Step step = new Step();
            step.order = order;
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            step.commit();
        }

        private static String work(String order, int millis) {
            for (String name : new String[] {"first", "second"}) {
                if (!HAS_CONTEXTS) {
                    step(order, millis / 2);
                    continue;
                }
                try (RecordingContext context =
                                RecordingContext.where(ORDER, order).where(STEP, name).build()) {
                    step(order, millis / 2);
                }
            }
            return order;
        }

        @GetMapping("/sync/{order}/{millis}")
        String sync(@PathVariable String order, @PathVariable int millis) {
            return work(order, millis);
        }

        @GetMapping("/callable/{order}/{millis}")
        Callable<String> callable(@PathVariable String order, @PathVariable int millis) {
            return () -> work(order, millis);
        }

        @GetMapping("/future/{order}/{millis}")
        CompletableFuture<String> future(@PathVariable String order, @PathVariable int millis) {
            return CompletableFuture.supplyAsync(() -> work(order, millis), pool);
        }
    }

    @Bean
    FilterRegistrationBean<Filter> events() {
        FilterRegistrationBean<Filter> bean =
                new FilterRegistrationBean<>((request, response, chain) -> {
                    Served event = new Served();
                    event.begin();
                    try {
                        chain.doFilter(request, response);
                    } finally {
                        event.order = ((HttpServletRequest) request).getRequestURI().split("/")[2];
                        event.commit();
                    }
                });
        bean.setEnabled(!HAS_CONTEXTS);
        bean.setOrder(Integer.MIN_VALUE);
        return bean;
    }

    public static void main(String[] args) throws Exception {
        ConfigurableApplicationContext application =
                SpringApplication.run(AccessLogServer.class, args);
        System.out.println("port " + application.getEnvironment().getProperty("local.server.port"));
        while (System.in.read() >= 0) {
        }
        application.close();
    }
}
