// SPDX-License-Identifier: Apache-2.0

/** Contexts of calls, for gRPC servers. */
package dev.loupe.grpc;
