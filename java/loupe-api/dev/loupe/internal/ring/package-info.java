// SPDX-License-Identifier: Apache-2.0

/**
 * The writing side of the agent's rings: who owns which ring, and how records, values and texts are
 * laid out in it. {@link dev.loupe.internal.Rings} puts these together.
 */
package dev.loupe.internal.ring;
