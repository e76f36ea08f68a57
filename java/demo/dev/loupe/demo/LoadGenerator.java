// SPDX-License-Identifier: Apache-2.0
package dev.loupe.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Customers of the checkout service, for several tenants: most look at carts, one request in fifty
 * buys.
 *
 * <p>Usage: LoadGenerator PORT SECONDS PAUSE_MS; 0 seconds means until killed, PAUSE_MS is how long
 * a customer thinks between two requests. Prints how many requests it made.
 */
public final class LoadGenerator {
    private static final int CUSTOMERS = 6;
    private static final int REQUESTS_PER_ORDER = 50;
    private static final int ITEMS_PER_CART = 4;
    private static final String[] TENANTS = {
            "acme", "acme", "globex", "initech", "umbrella", "wayne"}; // one of them is large

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicLong requestCount = new AtomicLong();
    private final String base;
    private final long endNanos;
    private final long pauseMillis;

    private LoadGenerator(int port, long seconds, long pauseMillis) {
        this.pauseMillis = pauseMillis;
        base = "http://127.0.0.1:" + port;
        endNanos = seconds == 0 ? Long.MAX_VALUE : System.nanoTime() + seconds * 1_000_000_000;
    }

    public static void main(String[] args) throws InterruptedException {
        LoadGenerator load = new LoadGenerator(
                Integer.parseInt(args[0]), Long.parseLong(args[1]), Long.parseLong(args[2]));
        List<Thread> customers = new ArrayList<>();
        for (int customer = 0; customer < CUSTOMERS; customer++) {
            SplittableRandom random = new SplittableRandom(customer);
            Thread thread = new Thread(() -> load.shop(random));
            thread.start();
            customers.add(thread);
        }
        for (Thread thread : customers) {
            thread.join();
        }
        System.out.println("requests " + load.requestCount.get());
    }

    private void shop(SplittableRandom random) {
        try {
            while (System.nanoTime() < endNanos) {
                String items = random.ints(ITEMS_PER_CART, 0, Integer.MAX_VALUE)
                                       .mapToObj(Integer::toString)
                                       .collect(Collectors.joining(","));
                boolean buys = random.nextInt(REQUESTS_PER_ORDER) == 0;
                request((buys ? "/checkout" : "/cart") + "?items=" + items,
                        TENANTS[random.nextInt(TENANTS.length)], random.nextLong());
                Thread.sleep(pauseMillis);
            }
        } catch (IOException e) {
            System.err.println("load: the service has gone: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void request(String path, String tenant, long trace)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(base + path))
                                      .header("traceid", String.format("%016x", trace))
                                      .header("tenant", tenant)
                                      .build();
        int status = client.send(request, BodyHandlers.ofString()).statusCode();
        if (status != 200) {
            throw new IOException("status " + status + " for " + path);
        }
        requestCount.incrementAndGet();
    }
}
