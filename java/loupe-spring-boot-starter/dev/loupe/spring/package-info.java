// SPDX-License-Identifier: Apache-2.0

/**
 * Contexts of requests and tasks for applications of Spring Boot 3:
 * {@link dev.loupe.spring.LoupeAutoConfiguration} says which.
 */
package dev.loupe.spring;
