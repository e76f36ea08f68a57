// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.task;

import java.util.concurrent.Callable;

/**
 * The contexts that a task carries from the place where it was submitted. An interface of the JDK's
 * types, so that it does not matter which copy of the API is behind it. Needs no agent.
 */
@FunctionalInterface
public interface Propagation {
    /** Calls a task with it; returns its result and throws its exception. */
    Object call(Callable<?> task) throws Exception;
}
