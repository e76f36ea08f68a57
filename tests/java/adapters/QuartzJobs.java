// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import static dev.loupe.testapps.Adapters.work;
import static dev.loupe.testapps.Adapters.workInside;

import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.quartz.InterruptableJob;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.listeners.JobListenerSupport;

/**
 * Jobs of a real Quartz, scheduled by somebody who works for another: they repeat, fail, run again
 * at once, and are interrupted. A listener sees their threads before and after.
 */
public final class QuartzJobs implements Adapters.Use {
    private static final int LIMIT_S = 60;
    private static final int REPEATED = 4;
    private static final CountDownLatch ENDED = new CountDownLatch(REPEATED + 1 + 2 + 1);
    private static final CountDownLatch WAITING = new CountDownLatch(1);

    private static String expected(JobExecutionContext run) {
        JobKey key = run.getJobDetail().getKey();
        return "job_name=" + key.getName() + ",job_group=" + key.getGroup()
                + ",job_run=" + run.getFireInstanceId();
    }

    /** Does its work. The property is set by Quartz, of the data of the job. */
    public static final class Report implements Job {
        private String kind;

        public void setKind(String kind) {
            this.kind = kind;
        }

        @Override
        public void execute(JobExecutionContext run) {
            if (!"daily".equals(kind)) {
                throw new IllegalStateException("kind " + kind);
            }
            workInside(expected(run), () -> {});
        }
    }

    /** Fails, and the first time asks to be run again at once. */
    public static final class Failing implements Job {
        @Override
        public void execute(JobExecutionContext run) throws JobExecutionException {
            work(expected(run));
            throw new JobExecutionException("on purpose", run.getRefireCount() == 0);
        }
    }

    /** Throws what no job may throw. */
    public static final class Broken implements Job {
        @Override
        public void execute(JobExecutionContext run) {
            work(expected(run));
            throw new IllegalStateException("on purpose");
        }
    }

    /** Waits until it is interrupted. */
    public static final class Waiting implements InterruptableJob {
        private final CountDownLatch interrupted = new CountDownLatch(1);

        @Override
        public void execute(JobExecutionContext run) {
            work(expected(run));
            WAITING.countDown();
            await(interrupted);
            work(expected(run));
        }

        @Override
        public void interrupt() {
            interrupted.countDown();
        }
    }

    /** Counts runs, and works outside of them. */
    private static final class Outside extends JobListenerSupport {
        @Override
        public String getName() {
            return "outside";
        }

        @Override
        public void jobToBeExecuted(JobExecutionContext run) {
            work("");
        }

        @Override
        public void jobWasExecuted(JobExecutionContext run, JobExecutionException problem) {
            work("");
            ENDED.countDown();
        }
    }

    @Override
    public void run() throws Exception {
        Properties properties = new Properties();
        properties.put("org.quartz.threadPool.threadCount", "2");
        properties.put("org.quartz.scheduler.skipUpdateCheck", "true");
        properties.put("org.quartz.scheduler.jobFactory.class", "dev.loupe.quartz.LoupeJobFactory");
        Scheduler scheduler = new StdSchedulerFactory(properties).getScheduler();
        scheduler.getListenerManager().addJobListener(new Outside());
        Adapters.whileBusy(() -> {
            scheduler.start();
            schedule(scheduler, Report.class, "nightly", REPEATED);
            schedule(scheduler, Failing.class, "failing", 1);
            schedule(scheduler, Broken.class, "broken", 1);
            schedule(scheduler, Waiting.class, "waiting", 1);
        });
        await(WAITING);
        scheduler.interrupt(JobKey.jobKey("waiting", "reports"));
        await(ENDED);
        scheduler.shutdown(true);
    }

    private static void schedule(Scheduler scheduler, Class<? extends Job> job, String name,
            int times) throws Exception {
        scheduler.scheduleJob(JobBuilder.newJob(job)
                                      .withIdentity(name, "reports")
                                      .usingJobData("kind", "daily")
                                      .build(),
                TriggerBuilder.newTrigger()
                        .withSchedule(SimpleScheduleBuilder.simpleSchedule()
                                              .withIntervalInMilliseconds(10)
                                              .withRepeatCount(times - 1))
                        .startNow()
                        .build());
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(LIMIT_S, TimeUnit.SECONDS)) {
                throw new IllegalStateException("jobs do not run");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
