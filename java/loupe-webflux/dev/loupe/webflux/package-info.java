// SPDX-License-Identifier: Apache-2.0

/**
 * Contexts of requests, for applications of Spring WebFlux:
 * {@link dev.loupe.webflux.LoupeWebFilter} and {@link dev.loupe.webflux.RouteHandlers}.
 */
package dev.loupe.webflux;
