// SPDX-License-Identifier: Apache-2.0
package dev.loupe.spring;

import dev.loupe.RecordingContext;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Supplier;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;

/**
 * Wraps a scheduler and makes each of its tasks a {@link Job}.
 *
 * <p>It schedules them without a context, even inside a request. Otherwise an agent that carries
 * contexts along with tasks would carry the request's context from each run to the next.
 */
final class JobScheduler implements TaskScheduler {
    private final TaskScheduler scheduler;

    JobScheduler(TaskScheduler scheduler) {
        this.scheduler = scheduler;
    }

    @SuppressWarnings("try")
    private static ScheduledFuture<?> apart(Supplier<ScheduledFuture<?>> scheduling) {
        try (RecordingContext.Activation none = RecordingContext.Snapshot.none().activate()) {
            return scheduling.get();
        }
    }

    @Override
    public Clock getClock() {
        return scheduler.getClock();
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
        return apart(() -> scheduler.schedule(new Job(task), trigger));
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, Instant start) {
        return apart(() -> scheduler.schedule(new Job(task), start));
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Instant start, Duration period) {
        return apart(() -> scheduler.scheduleAtFixedRate(new Job(task), start, period));
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration period) {
        return apart(() -> scheduler.scheduleAtFixedRate(new Job(task), period));
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Instant start, Duration delay) {
        return apart(() -> scheduler.scheduleWithFixedDelay(new Job(task), start, delay));
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration delay) {
        return apart(() -> scheduler.scheduleWithFixedDelay(new Job(task), delay));
    }
}
