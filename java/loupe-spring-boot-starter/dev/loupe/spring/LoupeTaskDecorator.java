// SPDX-License-Identifier: Apache-2.0
package dev.loupe.spring;

import dev.loupe.Loupe;
import org.springframework.core.task.TaskDecorator;

/**
 * Has tasks run in the {@link dev.loupe.RecordingContext} of where they are submitted. For
 * executors that are no beans; those that are have it already.
 */
public final class LoupeTaskDecorator implements TaskDecorator {
    /** Creates a decorator. */
    public LoupeTaskDecorator() {}

    @Override
    public Runnable decorate(Runnable task) {
        return Loupe.wrap(task);
    }
}
