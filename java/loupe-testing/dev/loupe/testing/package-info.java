// SPDX-License-Identifier: Apache-2.0

/**
 * For the unit tests of an application that uses Loupe: what contexts did it set? Needs neither
 * agent nor collector.
 */
package dev.loupe.testing;
