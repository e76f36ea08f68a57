// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import java.util.concurrent.CountDownLatch;

/**
 * Requests that wait for a monitor, one after the other, while another request has it and sleeps.
 * The arguments are the number of requests that wait, and for how many milliseconds each does.
 */
public final class LockedE2E {
    private static final RecordingContextKey ROUTE = RecordingContextKey.forName("http_route");
    private static final RecordingContextKey TRACE = RecordingContextKey.forName("trace_id");
    private static final RecordingContextKey ROOT =
            RecordingContextKey.forName("local_root_span_id");

    /** The monitor. */
    static final class Stock {
        synchronized void refill(CountDownLatch taken, int ms) throws InterruptedException {
            taken.countDown();
            Thread.sleep(ms);
        }

        synchronized void reserve() {}
    }

    private LockedE2E() {}

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        int ms = Integer.parseInt(args[1]);
        Stock stock = new Stock();
        for (int i = 0; i < count; i++) {
            orderBehind(stock, i, ms);
        }
    }

    /** A request that waits while another one has the monitor. */
    static void orderBehind(Stock stock, int number, int ms) throws InterruptedException {
        CountDownLatch taken = new CountDownLatch(1);
        Thread owner = new Thread(() -> refill(stock, taken, ms), "stock-keeper");
        owner.start();
        taken.await();
        order(stock, number);
        owner.join();
    }

    /** A request with the trace of this number. */
    static RecordingContext begin(int number) {
        return RecordingContext.where(ROUTE, "/order")
                .where(TRACE, String.format("%032x", 0xabc000 + number))
                .where(ROOT, String.format("%016x", Long.MIN_VALUE + number))
                .build();
    }

    @SuppressWarnings("try") // the context is used by being there
    private static void refill(Stock stock, CountDownLatch taken, int ms) {
        try (RecordingContext c = RecordingContext.where(ROUTE, "/refill").build()) {
            stock.refill(taken, ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("try")
    private static void order(Stock stock, int number) {
        try (RecordingContext c = begin(number)) {
            stock.reserve();
        }
    }
}
