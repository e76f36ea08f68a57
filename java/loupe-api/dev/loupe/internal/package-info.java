// SPDX-License-Identifier: Apache-2.0

/**
 * The inside of Loupe, not for use by applications. Only {@link dev.loupe.internal.Agent} is
 * touched unless the agent is in the JVM, because everything else needs what only the agent opens.
 */
package dev.loupe.internal;
