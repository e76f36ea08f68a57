// SPDX-License-Identifier: Apache-2.0

/** What newer JDKs have in {@code jdk.jfr}, for older ones. */
package dev.loupe.jfr;
