// SPDX-License-Identifier: Apache-2.0
package shop;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import dev.loupe.vertx.LoupeRequestHandler;
import dev.loupe.vertx.VertxContext;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;

/** A server of Vert.x whose requests are contexts, and messages of its event bus, too. */
public final class VertxOrders {
    private static final RecordingContextKey ARTICLE = RecordingContextKey.forName("article");

    private final Vertx vertx = Vertx.vertx();

    private VertxOrders() {}

    // The handlers of timer, message and answer are all in the context of the request.
    private void serve(HttpServerRequest request) {
        vertx.setTimer(50,
                id
                -> vertx.eventBus()
                           .<String>request("prices", "chair")
                           .onSuccess(answer -> request.response().end(answer.body())));
    }

    @SuppressWarnings("try")
    private void start() {
        vertx.eventBus().<String>consumer("prices", message -> {
            try (RecordingContext context =
                            RecordingContext.where(ARTICLE, message.body()).build()) {
                VertxContext.keep(); // for the handler of the timer
                vertx.setTimer(50, id -> message.reply("5"));
            }
        });
        vertx.createHttpServer().requestHandler(new LoupeRequestHandler(this::serve)).listen(8080);
    }

    public static void main(String[] args) {
        new VertxOrders().start();
    }
}
