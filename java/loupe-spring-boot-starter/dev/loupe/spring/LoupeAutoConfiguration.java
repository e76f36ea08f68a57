// SPDX-License-Identifier: Apache-2.0
package dev.loupe.spring;

import dev.loupe.quartz.LoupeJobFactory;
import dev.loupe.servlet.LoupeFilter;
import dev.loupe.webflux.LoupeWebFilter;
import dev.loupe.webflux.RouteHandlers;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import org.quartz.Scheduler;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import reactor.core.publisher.Hooks;

/**
 * Spring Boot's way to Loupe. Each part can be left out by a property:
 *
 * <ul>
 * <li>{@code loupe.servlet.enabled}: each request is a context by {@link LoupeFilter}, before all
 * other filters, and with Spring MVC has in its handler the entry {@code http_route}, too:
 * {@code /orders/{id}};
 * <li>{@code loupe.webflux.enabled}: the same with Spring WebFlux, by {@link LoupeWebFilter} and
 * {@link RouteHandlers}. This turns on Reactor's automatic context propagation;
 * <li>{@code loupe.tasks.enabled}: task executors that are beans have {@link LoupeTaskDecorator};
 * <li>{@code loupe.jobs.enabled}: each run of a scheduled method is a context with the entry
 * {@code job_name}, such as {@code shop.Reports.nightly}, and schedulers of Quartz that are beans
 * have {@link LoupeJobFactory};
 * <li>{@code loupe.enabled}: all parts.
 * </ul>
 */
@AutoConfiguration
@ConditionalOnProperty(name = "loupe.enabled", matchIfMissing = true)
public class LoupeAutoConfiguration {
    /** For Spring. */
    public LoupeAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "loupe.tasks.enabled", matchIfMissing = true)
    static class Tasks {
        @Bean
        static TaskExecutors loupeTaskExecutors() {
            return new TaskExecutors();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "loupe.jobs.enabled", matchIfMissing = true)
    static class Jobs {
        @Bean
        ScheduledJobs loupeScheduledJobs() {
            return new ScheduledJobs();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Scheduler.class, SchedulerFactoryBean.class})
    @ConditionalOnProperty(name = "loupe.jobs.enabled", matchIfMissing = true)
    static class QuartzJobs {
        @Bean
        static QuartzSchedulers loupeQuartzSchedulers() {
            return new QuartzSchedulers();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = Type.SERVLET)
    @ConditionalOnClass(Filter.class)
    @ConditionalOnProperty(name = "loupe.servlet.enabled", matchIfMissing = true)
    static class Requests {
        @Bean
        FilterRegistrationBean<LoupeFilter> loupeFilter() {
            FilterRegistrationBean<LoupeFilter> filter =
                    new FilterRegistrationBean<>(new LoupeFilter());
            filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
            filter.setDispatcherTypes(
                    DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR);
            return filter;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = Type.SERVLET)
    @ConditionalOnClass(WebMvcConfigurer.class)
    @ConditionalOnProperty(name = "loupe.servlet.enabled", matchIfMissing = true)
    static class Routes implements WebMvcConfigurer {
        @Override
        public void addInterceptors(InterceptorRegistry registry) {
            registry.addInterceptor(new RouteInterceptor()).order(Ordered.HIGHEST_PRECEDENCE);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = Type.REACTIVE)
    @ConditionalOnClass({DispatcherHandler.class, Hooks.class})
    @ConditionalOnProperty(name = "loupe.webflux.enabled", matchIfMissing = true)
    static class ReactiveRequests {
        ReactiveRequests() {
            Hooks.enableAutomaticContextPropagation();
        }

        @Bean
        LoupeWebFilter loupeWebFilter() {
            return new LoupeWebFilter();
        }

        @Bean
        RouteHandlers loupeRouteHandlers(ObjectProvider<HandlerAdapter> adapters,
                ObjectProvider<HandlerResultHandler> resultHandlers) {
            return new RouteHandlers(adapters, resultHandlers);
        }
    }
}
