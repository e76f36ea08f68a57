// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.thread.Threading;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.boot.task.ThreadPoolTaskExecutorBuilder;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.MethodParameter;
import org.springframework.core.env.Environment;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/**
 * An application of Spring Boot, until its input ends. Each request says which context it has to be
 * in; nothing in here is about Loupe.
 */
@Configuration
@EnableAutoConfiguration
@EnableAsync
@Import({SpringServer.Desk.class, SpringServer.Later.class, SpringServer.Answers.class})
public class SpringServer {
    /** What it serves. */
    @RestController
    static class Desk {
        private final Later later;

        Desk(Later later) {
            this.later = later;
        }

        @GetMapping("/plain/{id}")
        String plain(@PathVariable String id, @RequestHeader String expected) {
            OutsideValve.commit(expected);
            return id;
        }

        @GetMapping("/callable/{id}")
        Callable<String> callable(@PathVariable String id, @RequestHeader String expected) {
            OutsideValve.commit(expected);
            return () -> {
                OutsideValve.commit(expected);
                return id;
            };
        }

        @GetMapping("/async/{id}")
        CompletableFuture<String> async(@PathVariable String id, @RequestHeader String expected) {
            CompletableFuture<String> answer = later.answer(id, expected);
            OutsideValve.commit(expected);
            return answer;
        }

        @GetMapping("/forward/{id}")
        ModelAndView forward(HttpServletRequest request, @PathVariable String id,
                @RequestHeader String expected) {
            OutsideValve.commit(expected);
            return new ModelAndView("forward:/forwarded/" + id);
        }

        @GetMapping("/forwarded/{id}")
        String forwarded(@PathVariable String id, @RequestHeader String inside) {
            OutsideValve.commit(inside);
            return id;
        }

        @GetMapping("/fail/{id}")
        Map<String, String> fail(@RequestHeader String expected) {
            OutsideValve.commit(expected);
            throw new IllegalStateException("on purpose");
        }
    }

    /** Answers on a thread of another executor. */
    static class Later {
        @Async("own")
        CompletableFuture<String> answer(String id, String expected) {
            OutsideValve.commit(expected);
            return CompletableFuture.completedFuture(
                    DECORATED.get() ? id : "not decorated by the application");
        }
    }

    /** Where answers are written: behind the handler, in the last dispatch. */
    @ControllerAdvice
    static class Answers implements ResponseBodyAdvice<Object> {
        @Override
        public boolean supports(
                MethodParameter returned, Class<? extends HttpMessageConverter<?>> converter) {
            return true;
        }

        @Override
        public Object beforeBodyWrite(Object body, MethodParameter returned, MediaType media,
                Class<? extends HttpMessageConverter<?>> converter, ServerHttpRequest request,
                ServerHttpResponse response) {
            OutsideValve.commit(request.getHeaders().getFirst("inside"));
            return body;
        }
    }

    private static final ThreadLocal<Boolean> DECORATED = ThreadLocal.withInitial(() -> false);

    @Bean
    Executor own() {
        ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
        executor.setCorePoolSize(2);
        executor.setTaskDecorator(task -> () -> {
            DECORATED.set(true);
            task.run();
            DECORATED.set(false);
        });
        return executor;
    }

    // Spring Boot's own, which it makes by itself only where there is no other.
    @Bean
    AsyncTaskExecutor applicationTaskExecutor(Environment environment,
            ThreadPoolTaskExecutorBuilder pool, SimpleAsyncTaskExecutorBuilder threads) {
        return Threading.VIRTUAL.isActive(environment) ? threads.build() : pool.build();
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> outside() {
        return factory -> factory.addEngineValves(new OutsideValve());
    }

    public static void main(String[] args) throws Exception {
        ConfigurableApplicationContext application =
                SpringApplication.run(SpringServer.class, args);
        System.out.println("port " + application.getEnvironment().getProperty("local.server.port"));
        while (System.in.read() >= 0) {
        }
        application.close();
    }
}
