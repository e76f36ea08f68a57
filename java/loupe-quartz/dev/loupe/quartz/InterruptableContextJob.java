// SPDX-License-Identifier: Apache-2.0
package dev.loupe.quartz;

import org.quartz.InterruptableJob;
import org.quartz.UnableToInterruptJobException;

/** A {@link ContextJob} that passes interrupts on. */
final class InterruptableContextJob extends ContextJob implements InterruptableJob {
    private final InterruptableJob job;

    InterruptableContextJob(InterruptableJob job) {
        super(job);
        this.job = job;
    }

    @Override
    public void interrupt() throws UnableToInterruptJobException {
        job.interrupt();
    }
}
