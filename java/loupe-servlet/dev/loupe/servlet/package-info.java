// SPDX-License-Identifier: Apache-2.0

/** Contexts of requests, for servlet containers. */
package dev.loupe.servlet;
