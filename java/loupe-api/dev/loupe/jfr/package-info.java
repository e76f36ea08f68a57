// SPDX-License-Identifier: Apache-2.0

/** Annotations of JFR events that {@code jdk.jfr} has in newer JDKs only, or not at all. */
package dev.loupe.jfr;
