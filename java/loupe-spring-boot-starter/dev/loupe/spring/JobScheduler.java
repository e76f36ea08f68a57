// SPDX-License-Identifier: Apache-2.0
package dev.loupe.spring;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;

/** Wraps a scheduler and makes each of its tasks a {@link Job}. */
final class JobScheduler implements TaskScheduler {
    private final TaskScheduler scheduler;

    JobScheduler(TaskScheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public Clock getClock() {
        return scheduler.getClock();
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
        return scheduler.schedule(new Job(task), trigger);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, Instant start) {
        return scheduler.schedule(new Job(task), start);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Instant start, Duration period) {
        return scheduler.scheduleAtFixedRate(new Job(task), start, period);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration period) {
        return scheduler.scheduleAtFixedRate(new Job(task), period);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Instant start, Duration delay) {
        return scheduler.scheduleWithFixedDelay(new Job(task), start, delay);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration delay) {
        return scheduler.scheduleWithFixedDelay(new Job(task), delay);
    }
}
