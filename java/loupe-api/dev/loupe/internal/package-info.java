// SPDX-License-Identifier: Apache-2.0

/**
 * The inside of Loupe, not for use by applications. The API, loupe-testing.jar and loupe-otel.jar
 * call this package. Without the agent they use only {@link dev.loupe.internal.Agent}, because
 * everything else needs packages that only the agent opens.
 *
 * <p>If the agent is loaded late, caller and callee may belong to different copies and versions of
 * loupe.jar: so the names and signatures of called methods must not change. The packages below this
 * one are free to change. Nothing in {@code agent} and {@code ring} uses this package;
 * {@code recording} is above it.
 */
package dev.loupe.internal;
