// SPDX-License-Identifier: Apache-2.0

/**
 * Shows in the recording which trace and span each thread was working for: an extension for the
 * OpenTelemetry Java agent, and for its SDK where that is configured automatically. Applications
 * call nothing here; it is found through {@link java.util.ServiceLoader}.
 */
package dev.loupe.otel;
