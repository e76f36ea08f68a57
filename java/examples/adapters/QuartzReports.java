// SPDX-License-Identifier: Apache-2.0
package shop;

import dev.loupe.quartz.LoupeJobFactory;
import org.quartz.CronScheduleBuilder;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/** A scheduler of Quartz whose jobs are contexts. */
public final class QuartzReports {
    private QuartzReports() {}

    /** A job like any other. */
    public static final class Nightly implements Job {
        @Override
        public void execute(JobExecutionContext run) {
            System.out.println("the report of " + run.getFireTime());
        }
    }

    public static void main(String[] args) throws SchedulerException {
        Scheduler scheduler = StdSchedulerFactory.getDefaultScheduler();
        scheduler.setJobFactory(new LoupeJobFactory());
        scheduler.scheduleJob(
                JobBuilder.newJob(Nightly.class).withIdentity("nightly", "reports").build(),
                TriggerBuilder.newTrigger()
                        .withSchedule(CronScheduleBuilder.dailyAtHourAndMinute(2, 30))
                        .build());
        scheduler.start();
    }
}
