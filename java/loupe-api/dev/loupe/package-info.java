// SPDX-License-Identifier: Apache-2.0

/**
 * The API of Loupe: contexts for JDK Flight Recorder.
 *
 * <p>Without the Loupe agent in the JVM every call is a cheap no-op, so an application can always
 * carry this jar. The agent defines its own copy in the boot loader, which is found before the
 * application's.
 */
package dev.loupe;
