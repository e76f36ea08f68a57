// SPDX-License-Identifier: Apache-2.0

/** Contexts of records that are processed, for consumers of Kafka. */
package dev.loupe.kafka;
