// SPDX-License-Identifier: Apache-2.0

/**
 * Values of SLF4J's MDC as a context: {@link dev.loupe.mdc.MdcProvider} says how.
 */
package dev.loupe.mdc;
