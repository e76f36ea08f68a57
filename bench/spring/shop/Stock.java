// SPDX-License-Identifier: Apache-2.0

package shop;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Asks another server how many of a product there are, while the request has a connection of the
 * database: of every other product by the client that waits for the socket, of the rest by the
 * client that parks.
 */
@RestController
@Profile("waits")
class Stock {
    record InStock(long id, String name, int amount) {}

    private final Catalog catalog;
    private final URI server;
    private final HttpClient client = HttpClient.newHttpClient();

    Stock(Catalog catalog, @Value("${shop.stock}") URI server) {
        this.catalog = catalog;
        this.server = server;
    }

    @GetMapping("/products/{id}/stock")
    InStock stock(@PathVariable long id) throws IOException, InterruptedException {
        String name = catalog.find(id)
                              .map(Tables.Product::getName)
                              .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
        URI uri = server.resolve("/" + id);
        String amount = id % 2 == 0 ? read(uri) : send(uri);
        return new InStock(id, name, Integer.parseInt(amount));
    }

    private static String read(URI uri) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        try (InputStream answer = connection.getInputStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private String send(URI uri) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
}
