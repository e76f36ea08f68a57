// SPDX-License-Identifier: Apache-2.0

/**
 * The API of Loupe: contexts for JDK Flight Recorder.
 *
 * <p>Without the Loupe agent in the JVM every call is a cheap no-op, so an application can always
 * carry this jar. The agent defines its own copy in the boot loader, which is found before the
 * application's.
 *
 * <p>A method throws what its documentation names, and {@code NullPointerException} if an argument
 * is null where nothing else is said. Callers need no permission of a security manager.
 */
package dev.loupe;
