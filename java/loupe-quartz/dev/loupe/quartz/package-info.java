// SPDX-License-Identifier: Apache-2.0

/** Contexts of jobs, for Quartz. */
package dev.loupe.quartz;
