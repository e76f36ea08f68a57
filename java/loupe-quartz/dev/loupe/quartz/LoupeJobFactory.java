// SPDX-License-Identifier: Apache-2.0
package dev.loupe.quartz;

import dev.loupe.RecordingContext;
import java.util.Objects;
import org.quartz.InterruptableJob;
import org.quartz.Job;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.simpl.PropertySettingJobFactory;
import org.quartz.spi.JobFactory;
import org.quartz.spi.TriggerFiredBundle;

/**
 * Makes each run of a job of Quartz a {@link RecordingContext} with these entries:
 *
 * <ul>
 * <li>{@code job_name}: {@code nightly};
 * <li>{@code job_group}: {@code reports};
 * <li>{@code job_run}: the id that Quartz gives the run ({@code fireInstanceId}).
 * </ul>
 *
 * <p>In {@code quartz.properties}:
 *
 * <pre>{@code
 * org.quartz.scheduler.jobFactory.class = dev.loupe.quartz.LoupeJobFactory
 * }</pre>
 *
 * <p>or, around another factory, by {@code scheduler.setJobFactory(new LoupeJobFactory(factory))}.
 *
 * <p>The context is installed while the job executes, on its thread. Listeners run outside.
 * A run is a {@link dev.loupe.Request}. The context extends nothing: a job does not belong to the
 * request that scheduled it. {@code getJobInstance} returns the object that installs the context.
 * Quartz can interrupt it if it can interrupt the job.
 */
public final class LoupeJobFactory implements JobFactory {
    private final JobFactory factory;

    /** Creates a factory that wraps the jobs of Quartz' default factory. */
    public LoupeJobFactory() {
        this(new PropertySettingJobFactory());
    }

    /**
     * Creates a factory that wraps the jobs of another factory.
     *
     * @param factory creates the jobs
     */
    public LoupeJobFactory(JobFactory factory) {
        this.factory = Objects.requireNonNull(factory, "factory");
    }

    @Override
    public Job newJob(TriggerFiredBundle bundle, Scheduler scheduler) throws SchedulerException {
        Job job = factory.newJob(bundle, scheduler);
        return job instanceof InterruptableJob interruptable
                ? new InterruptableContextJob(interruptable)
                : new ContextJob(job);
    }
}
