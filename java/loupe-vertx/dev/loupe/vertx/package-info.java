// SPDX-License-Identifier: Apache-2.0

/** Contexts of requests, and what their handlers begin, for Vert.x. */
package dev.loupe.vertx;
