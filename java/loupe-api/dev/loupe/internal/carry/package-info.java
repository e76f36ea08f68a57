// SPDX-License-Identifier: Apache-2.0

/**
 * Carries contexts with tasks that the JDK's classes, and a few others, hand from thread to
 * thread. The agent makes these call {@code java.util.concurrent.LoupeTasks}, and that calls this.
 */
package dev.loupe.internal.carry;
