// SPDX-License-Identifier: Apache-2.0

/**
 * The inside of Loupe, not for use by applications. This package is what the API, loupe-testing.jar
 * and loupe-otel.jar call. Only {@link dev.loupe.internal.Agent} is touched unless the agent is in
 * the JVM, because everything else needs what only the agent opens.
 *
 * <p>Where the agent comes late, caller and callee may be of different copies of loupe.jar, and of
 * different versions: so the names and the signatures of what is called here stay. The packages
 * below this one are free to change. Nothing in {@code agent} and {@code ring} uses this package;
 * {@code recording} is above it.
 */
package dev.loupe.internal;
