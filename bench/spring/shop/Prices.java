// SPDX-License-Identifier: Apache-2.0

package shop;

import org.springframework.stereotype.Service;

/** Sums up, and remembers what was sold: one thread at a time, and now and then slowly. */
@Service
class Prices {
    private static final int SLOW_EVERY = 50;
    private static final long SLOW_MILLIS = 25;

    private long asked;

    synchronized long total(Tables.Order order) {
        if (++asked % SLOW_EVERY == 0) {
            try {
                Thread.sleep(SLOW_MILLIS);
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        }
        long sum =
                order.lines.stream().mapToLong(line -> line.product.getPrice() * line.amount).sum();
        return sum * (100 - order.customer.getLevel()) / 100;
    }
}
