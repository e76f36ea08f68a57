// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.loupe.RecordingContext;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A JVM in a chain of several. A request for {@code /N} has the trace N of LockedE2E. A thread of a
 * pool asks the next JVM, whose port is the argument, while the thread of the request waits. The
 * last JVM has no argument; there the request waits for a monitor. It prints its port, and ends
 * with its input.
 */
public final class ChainE2E {
    private static final int WAIT_MS = 100;
    private static final LockedE2E.Stock STOCK = new LockedE2E.Stock();

    private ChainE2E() {}

    public static void main(String[] args) throws Exception {
        InetAddress loopback = InetAddress.getByName("127.0.0.1");
        HttpServer server = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
        ExecutorService pool = Executors.newFixedThreadPool(1, task -> new Thread(task, "pool"));
        server.createContext("/", exchange -> serve(exchange, args, pool));
        server.start();
        System.out.println("port " + server.getAddress().getPort());
        System.in.transferTo(OutputStream.nullOutputStream());
        server.stop(0);
        pool.shutdown();
    }

    private static void serve(HttpExchange exchange, String[] next, ExecutorService pool)
            throws IOException {
        int number = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
        try {
            if (next.length == 0) {
                LockedE2E.orderBehind(STOCK, number, WAIT_MS);
            } else {
                askByPool(pool, "http://127.0.0.1:" + next[0] + "/" + number, number);
            }
            exchange.sendResponseHeaders(200, -1);
        } catch (Exception e) {
            throw new IOException(e);
        } finally {
            exchange.close();
        }
    }

    @SuppressWarnings("try") // the context is used by being there
    private static void askByPool(ExecutorService pool, String url, int number) throws Exception {
        try (RecordingContext c = LockedE2E.begin(number)) {
            pool.submit(() -> ask(url)).get();
        }
    }

    private static Void ask(String url) throws IOException {
        HttpURLConnection next = (HttpURLConnection) URI.create(url).toURL().openConnection();
        if (next.getResponseCode() != 200) {
            throw new IOException(url + ": " + next.getResponseCode());
        }
        return null;
    }
}
