// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.thread.Threading;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.boot.task.SimpleAsyncTaskSchedulerBuilder;
import org.springframework.boot.task.ThreadPoolTaskExecutorBuilder;
import org.springframework.boot.task.ThreadPoolTaskSchedulerBuilder;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.MethodParameter;
import org.springframework.core.env.Environment;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
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
@EnableScheduling
@Import({SpringServer.Desk.class, SpringServer.Later.class, SpringServer.Answers.class,
        SpringServer.Jobs.class, SpringServer.LateJob.class})
public class SpringServer {
    /** What it serves. */
    @RestController
    static class Desk {
        private final Later later;
        private final ObjectProvider<LateJob> lateJob;

        Desk(Later later, ObjectProvider<LateJob> lateJob) {
            this.later = later;
            this.lateJob = lateJob;
        }

        @GetMapping("/plain/{id}")
        String plain(@PathVariable String id, @RequestHeader String expected) {
            lateJob.getObject(); // whose method is scheduled by the first request
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

    /** Jobs, each of which makes the same number of events. */
    static class Jobs implements SchedulingConfigurer {
        private static final int RUNS = 2;
        private static final Map<String, AtomicInteger> COUNTS = new ConcurrentHashMap<>();
        private static final CountDownLatch DONE = new CountDownLatch(7 * RUNS + 1);

        static void run(String name) {
            commit(name, "job_name=dev.loupe.testapps.SpringServer$" + name);
        }

        // On the thread of a job that has failed, behind it.
        static void failed(Throwable problem) {
            if (problem.getMessage().equals("late")) {
                commit("late", "");
            }
        }

        private static void commit(String name, String expected) {
            if (COUNTS.computeIfAbsent(name, any -> new AtomicInteger()).incrementAndGet()
                    <= RUNS) {
                OutsideValve.commit(expected);
                DONE.countDown();
            }
        }

        @Scheduled(fixedRate = 20)
        void rate() {
            run("Jobs.rate");
        }

        @Scheduled(fixedDelay = 20, scheduler = "other")
        void delay() {
            run(Thread.currentThread().getName().startsWith("other") ? "Jobs.delay" : "elsewhere");
            throw new IllegalStateException("on purpose");
        }

        @Scheduled(cron = "* * * * * *")
        void cron() {
            run("Jobs.cron");
        }

        @Scheduled(initialDelay = 1)
        void once() {
            run("Jobs.once");
            run("Jobs.once");
        }

        @Override
        public void configureTasks(ScheduledTaskRegistrar registrar) {
            registrar.addFixedDelayTask(new Sweep(), Duration.ofMillis(20));
        }
    }

    /** A job of Quartz', which Spring gives a bean and a property. */
    public static class Report implements Job {
        private final Jobs jobs;
        private String kind;

        Report(Jobs jobs) {
            this.jobs = jobs;
        }

        public void setKind(String kind) {
            this.kind = kind;
        }

        @Override
        public void execute(JobExecutionContext run) {
            if (jobs != null && "daily".equals(kind)) {
                OutsideValve.commit(
                        "job_name=nightly,job_group=reports,job_run=" + run.getFireInstanceId());
                Jobs.DONE.countDown();
            }
        }
    }

    /** A task without a name. */
    static class Sweep implements Runnable {
        @Override
        public void run() {
            Jobs.run("Sweep");
        }
    }

    /** Is there when it is asked for. */
    @Lazy
    static class LateJob {
        @Scheduled(cron = "* * * * * *", scheduler = "other")
        void late() {
            Jobs.run("LateJob.late");
            throw new IllegalStateException("late");
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

    // The same; there is another one.
    @Bean
    TaskScheduler taskScheduler(Environment environment, ThreadPoolTaskSchedulerBuilder pool,
            SimpleAsyncTaskSchedulerBuilder threads) {
        return Threading.VIRTUAL.isActive(environment) ? threads.build() : pool.build();
    }

    @Bean
    TaskScheduler other() {
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        scheduler.setThreadNamePrefix("other-");
        scheduler.setErrorHandler(Jobs::failed);
        return scheduler;
    }

    @Bean
    JobDetail nightly() {
        return JobBuilder.newJob(Report.class)
                .withIdentity("nightly", "reports")
                .usingJobData("kind", "daily")
                .storeDurably()
                .build();
    }

    @Bean
    Trigger once(JobDetail nightly) {
        return TriggerBuilder.newTrigger().forJob(nightly).startNow().build();
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
        if (!Jobs.DONE.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("jobs have run " + Jobs.COUNTS);
        }
        application.close();
    }
}
