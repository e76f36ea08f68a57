// SPDX-License-Identifier: Apache-2.0

/**
 * The natives of the agent, and the addresses of its rings.
 */
package dev.loupe.internal.agent;
