// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Requests that ask another service, which takes its time: -Dcauses.service has its address. */
@RestController
class SlowCalls {
    private static final URI SERVICE = URI.create(System.getProperty("causes.service"));
    private static final int FAN = 3;

    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpRequest question = HttpRequest.newBuilder(SERVICE).build();

    @GetMapping("/connection")
    String connection() throws IOException {
        return askByConnection();
    }

    private static String askByConnection() throws IOException {
        HttpURLConnection connection = (HttpURLConnection) SERVICE.toURL().openConnection();
        try (InputStream answer = connection.getInputStream()) {
            return new String(answer.readAllBytes());
        }
    }

    @GetMapping("/client")
    String client() throws Exception {
        return askByClient();
    }

    private String askByClient() throws Exception {
        return client.send(question, HttpResponse.BodyHandlers.ofString()).body();
    }

    /** No thread waits for the answers. */
    @GetMapping("/fan")
    CompletableFuture<String> fan() {
        CompletableFuture<?>[] answers =
                Stream.generate(this::askLater).limit(FAN).toArray(CompletableFuture[] ::new);
        return CompletableFuture.allOf(answers).thenApply(all -> "all");
    }

    private CompletableFuture<HttpResponse<String>> askLater() {
        return client.sendAsync(question, HttpResponse.BodyHandlers.ofString());
    }
}
