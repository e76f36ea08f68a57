// SPDX-License-Identifier: Apache-2.0

/** RecordingContexts of Kotlin's coroutines. */
package dev.loupe.kotlin;
