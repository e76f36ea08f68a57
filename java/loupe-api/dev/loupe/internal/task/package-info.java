// SPDX-License-Identifier: Apache-2.0

/**
 * Tasks that take something along from the thread that submits them. Needs no agent.
 */
package dev.loupe.internal.task;
