// SPDX-License-Identifier: Apache-2.0
package dev.loupe.spring;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import dev.loupe.Request;
import org.springframework.scheduling.SchedulingAwareRunnable;

/** Runs a scheduled task as a request, in a context, which extends nothing. */
final class Job implements SchedulingAwareRunnable {
    private static final RecordingContextKey NAME = RecordingContextKey.forName("job_name");

    private final Runnable task;
    private final String name;

    Job(Runnable task) {
        this.task = task;
        name = nameOf(task);
    }

    // Spring names the task of a method after the method. Other names end with an address.
    private static String nameOf(Runnable task) {
        return task.toString().replaceFirst("(/0x[0-9a-f]+)?@[0-9a-f]+$", "");
    }

    @Override
    @SuppressWarnings("try")
    public void run() {
        try (RecordingContext.Activation none = RecordingContext.Snapshot.none().activate();
                Request request = Request.begin();
                RecordingContext context = RecordingContext.where(NAME, name).build()) {
            task.run();
        }
    }

    @Override
    public boolean isLongLived() {
        return task instanceof SchedulingAwareRunnable aware && aware.isLongLived();
    }

    @Override
    public String getQualifier() {
        return task instanceof SchedulingAwareRunnable aware ? aware.getQualifier() : null;
    }

    @Override
    public String toString() {
        return task.toString();
    }
}
