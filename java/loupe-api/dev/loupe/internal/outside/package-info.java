// SPDX-License-Identifier: Apache-2.0

/** What rewritten event classes ask before they commit an event. */
package dev.loupe.internal.outside;
