// SPDX-License-Identifier: Apache-2.0
package dev.loupe.quartz;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import dev.loupe.Request;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.JobKey;

/** Executes a job as a request, in a context. */
class ContextJob implements Job {
    private static final RecordingContextKey NAME = RecordingContextKey.forName("job_name");
    private static final RecordingContextKey GROUP = RecordingContextKey.forName("job_group");
    private static final RecordingContextKey RUN = RecordingContextKey.forName("job_run");

    private final Job job;

    ContextJob(Job job) {
        this.job = job;
    }

    @Override
    @SuppressWarnings("try")
    public void execute(JobExecutionContext run) throws JobExecutionException {
        JobKey key = run.getJobDetail().getKey();
        try (RecordingContext.Activation none = RecordingContext.Snapshot.none().activate();
                Request request = Request.begin();
                RecordingContext context = RecordingContext.where(NAME, key.getName())
                                                   .where(GROUP, key.getGroup())
                                                   .where(RUN, run.getFireInstanceId())
                                                   .build()) {
            job.execute(run);
        }
    }
}
