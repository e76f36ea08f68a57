// SPDX-License-Identifier: Apache-2.0
package dev.loupe.spring;

import org.apache.commons.logging.LogFactory;
import org.springframework.core.Ordered;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

/** Makes scheduled methods jobs. Runs last: other configurers may set the scheduler. */
final class ScheduledJobs implements SchedulingConfigurer, Ordered {
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void configureTasks(ScheduledTaskRegistrar registrar) {
        TaskScheduler scheduler = registrar.getScheduler();
        if (scheduler == null) { // before Spring 6.1
            LogFactory.getLog(ScheduledJobs.class)
                    .warn("scheduled methods are no contexts: this version of Spring is not known");
            return;
        }
        registrar.setTaskScheduler(new JobScheduler(scheduler));
    }
}
