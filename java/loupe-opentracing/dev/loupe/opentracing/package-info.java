// SPDX-License-Identifier: Apache-2.0

/** OpenTracing's active span as a context: {@link dev.loupe.opentracing.LoupeScopeManager}. */
package dev.loupe.opentracing;
