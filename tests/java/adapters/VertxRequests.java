// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import static dev.loupe.testapps.Adapters.PARENT;
import static dev.loupe.testapps.Adapters.TRACE;
import static dev.loupe.testapps.Adapters.work;
import static dev.loupe.testapps.Adapters.workInside;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import dev.loupe.vertx.LoupeRequestHandler;
import dev.loupe.vertx.VertxContext;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Requests to a real server that take turns on one event loop. Each goes on in handlers of its
 * body, timers, blocking code, messages and answers of another server, and is ended by somebody
 * else. Between them the same thread works for nobody. Others are served on virtual threads.
 */
final class VertxRequests implements Adapters.Use {
    private static final int CLIENTS = 4;
    private static final int REQUESTS = 10; // of each client
    private static final int LIMIT_S = 60;
    private static final RecordingContextKey PRICE = RecordingContextKey.forName("price");

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Map<String, Context> waiting = new ConcurrentHashMap<>();
    private HttpClient client;
    private int port;

    private void serve(HttpServerRequest request) {
        String expected = request.getHeader("expected");
        workInside(expected, () -> {});
        if (request.path().equals("/stock")) {
            answerLater(request, expected);
            work(expected);
            return;
        }
        request.body()
                .compose(body -> {
                    work(expected);
                    return afterTimer(expected);
                })
                .compose(done -> {
                    work(expected);
                    return vertx.executeBlocking(() -> {
                        workInside(expected, () -> {});
                        return "blocked";
                    });
                })
                .compose(done -> {
                    work(expected);
                    return vertx.eventBus().<String>request("prices", "chair");
                })
                .compose(answer -> {
                    work(expected);
                    return stock();
                })
                .onComplete(answer -> {
                    workInside(expected, () -> endBySomebodyElse(request, expected));
                    if (answer.failed()) {
                        answer.cause().printStackTrace();
                    }
                });
        work(expected);
    }

    // With what the handler adds for those that follow.
    @SuppressWarnings("try")
    private void answerLater(HttpServerRequest request, String expected) {
        try (RecordingContext context = RecordingContext.where(PRICE, "7").build()) {
            check(VertxContext.keep(), "nothing is kept of a request");
            work(expected + ",price=7");
        }
        vertx.setTimer(1, id -> {
            work(expected + ",price=7");
            request.response().end("7");
        });
    }

    // A handler that fails leaves nothing behind.
    private Future<Object> afterTimer(String expected) {
        Promise<Object> promise = Promise.promise();
        vertx.setTimer(1, id -> {
            workInside(expected, () -> {});
            vertx.setTimer(1, next -> promise.complete(worked(expected, next)));
            throw new IllegalStateException("on purpose");
        });
        return promise.future();
    }

    private static Object worked(String expected, Long id) {
        work(expected);
        return id;
    }

    private Future<HttpClientResponse> stock() {
        return client.request(HttpMethod.GET, port, "127.0.0.1", "/stock").compose(request -> {
            request.putHeader("expected", "http_method=GET,http_path=/stock");
            return request.send();
        });
    }

    private void endBySomebodyElse(HttpServerRequest request, String expected) {
        String id = request.path();
        waiting.put(id, Vertx.currentContext());
        vertx.setTimer(1, timer -> {
            work(expected);
            vertx.eventBus().send("ends", id);
        });
        request.response().putHeader("id", id).setStatusCode(200);
        request.response().setChunked(true).write(expected);
        vertx.eventBus().<String>localConsumer("end of " + id, message -> request.response().end());
    }

    private void end(Message<String> message) {
        work("");
        Context context = waiting.remove(message.body());
        context.runOnContext(nothing -> vertx.eventBus().send("end of " + message.body(), ""));
        work("");
    }

    // Nobody's message, until the handler says whose.
    @SuppressWarnings("try")
    private void price(Message<String> message) {
        work("");
        try (RecordingContext context = RecordingContext.where(PRICE, message.body()).build()) {
            work("price=chair");
            check(VertxContext.keep(), "nothing is kept of a message");
            vertx.setTimer(1, id -> {
                work("price=chair");
                message.reply("5");
            });
        }
        work("");
    }

    private static void check(boolean condition, String problem) {
        if (!condition) {
            throw new AssertionError(problem);
        }
    }

    @Override
    @SuppressWarnings("try")
    public void run() throws Exception {
        vertx.exceptionHandler(problem -> {});
        client = vertx.createHttpClient();
        vertx.eventBus().consumer("prices", this::price);
        vertx.eventBus().consumer("ends", this::end);
        HttpServer server = get(vertx.createHttpServer()
                                        .requestHandler(new LoupeRequestHandler(this::serve))
                                        .listen(0, "127.0.0.1"));
        port = server.actualPort();
        long ticks = vertx.setPeriodic(2, id -> work(""));
        try (RecordingContext context = RecordingContext.where(PRICE, "none").build()) {
            check(!VertxContext.keep(), "something is kept outside of Vert.x");
        }
        Context loop = vertx.getOrCreateContext();
        loop.runOnContext(nothing -> work(VertxContext.keep() ? "kept for ever" : ""));
        sendAll(port);
        if (VirtualThreads.areThere()) {
            sendAll(get(portOfVirtualThreads()));
        }
        vertx.cancelTimer(ticks);
        loop.runOnContext(nothing -> work(""));
        get(vertx.close());
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
    }

    // A server whose handlers are called on virtual threads, where they may wait.
    private Future<Integer> portOfVirtualThreads() {
        Promise<Integer> port = Promise.promise();
        AbstractVerticle verticle = new AbstractVerticle() {
            @Override
            public void start() {
                vertx.createHttpServer()
                        .requestHandler(new LoupeRequestHandler(VertxRequests::serveWaiting))
                        .listen(0, "127.0.0.1")
                        .map(HttpServer::actualPort)
                        .onComplete(port);
            }
        };
        vertx.deployVerticle(
                verticle, new DeploymentOptions().setThreadingModel(ThreadingModel.VIRTUAL_THREAD));
        return port.future();
    }

    private static void serveWaiting(HttpServerRequest request) {
        String expected = request.getHeader("expected");
        work(expected);
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        work(expected);
        request.response().end(expected);
    }

    private void sendAll(int port) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        java.net.http.HttpClient http = java.net.http.HttpClient.newHttpClient();
        List<java.util.concurrent.Future<?>> all = new ArrayList<>();
        for (int i = 0; i < CLIENTS * REQUESTS; i++) {
            int number = i;
            all.add(clients.submit(() -> send(http, port, number)));
        }
        for (java.util.concurrent.Future<?> one : all) {
            one.get(LIMIT_S, TimeUnit.SECONDS);
        }
        clients.shutdown();
    }

    private static Object send(java.net.http.HttpClient http, int port, int number)
            throws Exception {
        boolean isTraced = number % 2 == 0;
        String expected = "http_method=POST,http_path=/orders/" + number
                + (isTraced ? ",trace_id=" + TRACE : "");
        HttpRequest.Builder request = HttpRequest
                                              .newBuilder(URI.create("http://127.0.0.1:" + port
                                                      + "/orders/" + number + "?secret"))
                                              .header("expected", expected)
                                              .POST(HttpRequest.BodyPublishers.ofString("chair"));
        if (isTraced) {
            request.header("traceparent", PARENT);
        }
        HttpResponse<String> answer =
                http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        check(answer.statusCode() == 200 && answer.body().equals(expected),
                answer.statusCode() + " " + answer.body());
        return null;
    }
}
