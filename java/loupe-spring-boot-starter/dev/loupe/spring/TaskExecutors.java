// SPDX-License-Identifier: Apache-2.0
package dev.loupe.spring;

import java.lang.reflect.Field;
import java.util.function.Consumer;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.util.ReflectionUtils;

/**
 * Gives all task executors a {@link LoupeTaskDecorator}, those that the application made itself,
 * too. One that it has already stays, inside of Loupe's.
 */
final class TaskExecutors implements BeanPostProcessor {
    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof ThreadPoolTaskExecutor executor) {
            decorate(executor, ThreadPoolTaskExecutor.class, executor::setTaskDecorator);
        } else if (bean instanceof SimpleAsyncTaskExecutor executor) {
            decorate(executor, SimpleAsyncTaskExecutor.class, executor::setTaskDecorator);
        }
        return bean;
    }

    // Executors do not tell which decorator they have, and it must not get lost.
    private static void decorate(Object executor, Class<?> type, Consumer<TaskDecorator> setter) {
        Field field = PrivateField.find(type, "taskDecorator", TaskDecorator.class,
                "contexts are not carried with tasks of " + executor);
        if (field == null) {
            return;
        }
        TaskDecorator own = (TaskDecorator) ReflectionUtils.getField(field, executor);
        TaskDecorator loupe = new LoupeTaskDecorator();
        setter.accept(own == null ? loupe : task -> loupe.decorate(own.decorate(task)));
    }
}
