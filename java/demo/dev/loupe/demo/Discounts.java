// SPDX-License-Identifier: Apache-2.0
package dev.loupe.demo;

import java.util.concurrent.locks.LockSupport;

/**
 * The discounts of customers with an agreement. The back office knows them; an answer of the back
 * office is valid for a second.
 *
 * <p>This is the cause to find: a request holds the lock until the back office answers, and all
 * other requests of the tenant wait for the lock.
 */
final class Discounts {
    private static final String TENANT_WITH_AGREEMENT = "acme";
    private static final long VALID_NANOS = 1_000_000_000;
    private static final long ANSWER_NANOS = 80_000_000; // how long the back office takes

    private long askedNanos = System.nanoTime() - VALID_NANOS;
    private int percent;

    int percentOf(String tenant) {
        return TENANT_WITH_AGREEMENT.equals(tenant) ? agreedPercent() : 0;
    }

    private synchronized int agreedPercent() {
        if (System.nanoTime() - askedNanos >= VALID_NANOS) {
            percent = askBackOffice();
            askedNanos = System.nanoTime();
        }
        return percent;
    }

    private static int askBackOffice() {
        LockSupport.parkNanos(ANSWER_NANOS);
        return 5;
    }
}
