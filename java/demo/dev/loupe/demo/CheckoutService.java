// SPDX-License-Identifier: Apache-2.0
package dev.loupe.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.loupe.Loupe;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A small HTTP service: GET /cart?items=1,2,3 adds up prices, GET /checkout?items=1,2,3 sells. Each
 * request is served in a context with its trace id, endpoint and tenant. Requests run on platform
 * threads; orders are packed on virtual threads where the JDK has them.
 *
 * <p>Usage: CheckoutService DIR. DIR/port tells the port once the service listens; GET /stop ends
 * it.
 */
public final class CheckoutService {
    private static final int REQUEST_THREADS = 8;

    private final Shop shop;
    private final ExecutorService requests = Executors.newFixedThreadPool(REQUEST_THREADS);
    private final ExecutorService packing = packingExecutor();
    private final AtomicLong contextCount = new AtomicLong();
    private final CountDownLatch stopping = new CountDownLatch(1);

    private CheckoutService(Shop shop) {
        this.shop = shop;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path dir = Path.of(args[0]);
        // Without it each answer waits for the client's delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        if (!Loupe.registerContext(RequestContext.class)) {
            System.err.println("checkout: running without the Loupe agent");
        }
        CheckoutService service = new CheckoutService(new Shop(dir.resolve("orders.txt")));
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.start(server);

        // The port appears whole or not at all.
        Path port = dir.resolve("port");
        Path unfinished = dir.resolve("port.tmp");
        Files.writeString(unfinished, Integer.toString(server.getAddress().getPort()));
        Files.move(unfinished, port);

        service.stopping.await();
        service.stop(server);
    }

    private void start(HttpServer server) {
        server.setExecutor(requests);
        server.createContext("/cart", exchange -> serve(exchange, "/cart"));
        server.createContext("/checkout", exchange -> serve(exchange, "/checkout"));
        server.createContext("/stop", exchange -> {
            answer(exchange, 0);
            exchange.close();
            stopping.countDown();
        });
        server.start();
    }

    private void stop(HttpServer server) throws IOException, InterruptedException {
        server.stop(1); // the longest wait for running requests, in seconds
        requests.shutdown();
        requests.awaitTermination(10, TimeUnit.SECONDS);
        packing.shutdown();
        packing.awaitTermination(10, TimeUnit.SECONDS);
        shop.close();
        System.out.println("contexts " + contextCount.get());
    }

    /** Virtual threads came with JDK 21, and this is compiled for 17. */
    private static ExecutorService packingExecutor() {
        try {
            return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor")
                    .invoke(null);
        } catch (ReflectiveOperationException e) {
            return Executors.newFixedThreadPool(2);
        }
    }

    private void serve(HttpExchange exchange, String endpoint) throws IOException {
        RequestContext context = new RequestContext();
        context.traceid = exchange.getRequestHeaders().getFirst("traceid");
        context.endpoint = endpoint;
        context.tenant = exchange.getRequestHeaders().getFirst("tenant");
        context.set();
        contextCount.incrementAndGet();
        try (exchange) {
            int[] items = itemsOf(exchange.getRequestURI().getQuery());
            long cents = shop.priceOf(context.tenant, items);
            answer(exchange, endpoint.equals("/cart") ? cents : checkout(cents, items));
        } finally {
            context.unset();
        }
    }

    private long checkout(long cents, int[] items) throws IOException {
        long order = shop.pay(cents);
        contextCount.incrementAndGet(); // the contextual event of packing
        packing.execute(() -> shop.pack(order, items));
        return order;
    }

    private int[] itemsOf(String query) {
        String[] numbers = query.substring("items=".length()).split(",");
        return Arrays.stream(numbers)
                .mapToInt(number -> Math.floorMod(Integer.parseInt(number), shop.itemCount()))
                .toArray();
    }

    private static void answer(HttpExchange exchange, long number) throws IOException {
        byte[] body = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }
}
