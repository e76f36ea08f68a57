// SPDX-License-Identifier: Apache-2.0

/** RecordingContexts for Micrometer's context propagation. */
package dev.loupe.micrometer;
