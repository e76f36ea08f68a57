// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Requests that wait for each other, or for nothing. */
@RestController
class SlowWaits {
    private static final int STEPS = 8;
    private static final int STEP_MS = 4;
    private static final int LOAD_MS = 40;
    private static final int REPORT_MS = 80;
    private static final int ATTEMPTS = 5;
    private static final int RETRY_MS = 50;

    private final Object desk = new Object();
    private final Prices prices = new Prices();
    private final AtomicInteger number = new AtomicInteger();
    private final ExecutorService reports = Executors.newFixedThreadPool(1, task -> {
        Thread thread = new Thread(task, "report-1");
        thread.setDaemon(true);
        return thread;
    });

    /** A cache that is locked while it loads. */
    private static final class Prices {
        private final Map<Integer, Integer> known = new HashMap<>();

        synchronized int find(int item) {
            return known.computeIfAbsent(item, Prices::load);
        }

        private static int load(int item) {
            sleep(LOAD_MS);
            return item;
        }
    }

    static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // --- A lock that everybody takes again and again

    @GetMapping("/convoy")
    String convoy() {
        for (int i = 0; i < STEPS; i++) {
            sign();
        }
        return "signed";
    }

    private void sign() {
        synchronized (desk) {
            sleep(STEP_MS);
        }
    }

    // --- A cache

    @GetMapping("/cache")
    String cache() {
        return "price " + prices.find(number.incrementAndGet());
    }

    // --- The queue of an executor

    @GetMapping("/queue")
    CompletableFuture<String> queue() {
        return CompletableFuture.supplyAsync(SlowWaits::report, reports);
    }

    private static String report() {
        sleep(REPORT_MS);
        return "report";
    }

    // --- Attempts

    @GetMapping("/retry")
    String retry() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                return attempt();
            } catch (IOException e) {
                backOff();
            }
        }
        return "given up";
    }

    private static String attempt() throws IOException {
        throw new IOException("not there");
    }

    private static void backOff() {
        sleep(RETRY_MS);
    }
}
