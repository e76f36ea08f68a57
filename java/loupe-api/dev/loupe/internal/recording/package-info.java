// SPDX-License-Identifier: Apache-2.0

/**
 * The agent's recording: it is started, kept in order and given the collector's policy. Called by
 * the agent only.
 */
package dev.loupe.internal.recording;
