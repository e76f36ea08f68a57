// SPDX-License-Identifier: Apache-2.0

/**
 * What the agent gives to its Java side: natives, and where the rings are.
 */
package dev.loupe.internal.agent;
