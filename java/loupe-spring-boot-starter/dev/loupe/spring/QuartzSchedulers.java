// SPDX-License-Identifier: Apache-2.0
package dev.loupe.spring;

import dev.loupe.quartz.LoupeJobFactory;
import java.lang.reflect.Field;
import org.quartz.SchedulerException;
import org.quartz.spi.JobFactory;
import org.springframework.beans.factory.BeanInitializationException;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;
import org.springframework.util.ReflectionUtils;

/**
 * Gives Spring's schedulers of Quartz a {@link LoupeJobFactory} around their own factory, once that
 * has everything it needs.
 */
final class QuartzSchedulers implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof SchedulerFactoryBean schedulers) {
            decorate(schedulers);
        }
        return bean;
    }

    // Without a factory here, Quartz has the one of its properties.
    private static void decorate(SchedulerFactoryBean schedulers) {
        Field field = PrivateField.find(SchedulerFactoryBean.class, "jobFactory", JobFactory.class,
                "jobs of Quartz are no contexts");
        JobFactory own =
                field == null ? null : (JobFactory) ReflectionUtils.getField(field, schedulers);
        if (own == null || own instanceof LoupeJobFactory) {
            return;
        }
        try {
            schedulers.getScheduler().setJobFactory(new LoupeJobFactory(own));
        } catch (SchedulerException e) {
            throw new BeanInitializationException("the job factory is refused", e);
        }
    }
}
