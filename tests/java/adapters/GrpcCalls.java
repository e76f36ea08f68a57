// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import static dev.loupe.testapps.Adapters.PARENT;
import static dev.loupe.testapps.Adapters.TRACE;
import static dev.loupe.testapps.Adapters.work;
import static dev.loupe.testapps.Adapters.workInside;

import dev.loupe.grpc.LoupeServerInterceptor;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Calls of all kinds to a real server, several at a time: on a pool of two threads, and on the
 * event loop itself, on virtual threads, and on the client's thread. Outside of Loupe's
 * interceptor, another one sees that no context stays.
 */
final class GrpcCalls implements Adapters.Use {
    private static final int CLIENTS = 4;
    private static final int ROUNDS = 4;
    private static final int LIMIT_S = 60;
    private static final int MESSAGES = 3;

    private static final MethodDescriptor<String, String> ONE = method("One", MethodType.UNARY);
    private static final MethodDescriptor<String, String> MANY =
            method("Many", MethodType.BIDI_STREAMING);
    private static final MethodDescriptor<String, String> FAIL = method("Fail", MethodType.UNARY);
    private static final MethodDescriptor<String, String> CANCEL =
            method("Cancel", MethodType.SERVER_STREAMING);

    private static final Context.Key<String> EXPECTED = Context.key("expected");

    private final CountDownLatch cancelled =
            new CountDownLatch(CLIENTS * ROUNDS * (VirtualThreads.areThere() ? 3 : 2));

    private static MethodDescriptor<String, String> method(String name, MethodType type) {
        return MethodDescriptor.<String, String>newBuilder(new Texts(), new Texts())
                .setType(type)
                .setFullMethodName("shop.Orders/" + name)
                .build();
    }

    /** Messages that are texts. */
    private static final class Texts implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String text) {
            return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try (stream) {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Sees the thread before a call comes to Loupe's interceptor, and when it has left it. */
    private static final class Outside implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            work("");
            ServerCall.Listener<Q> inner = next.startCall(call, headers);
            work("");
            return new ServerCall.Listener<Q>() {
                private void outside(Runnable part) {
                    work("");
                    try {
                        part.run();
                    } finally {
                        work("");
                    }
                }

                @Override
                public void onMessage(Q message) {
                    outside(() -> inner.onMessage(message));
                }

                @Override
                public void onHalfClose() {
                    outside(inner::onHalfClose);
                }

                @Override
                public void onCancel() {
                    outside(inner::onCancel);
                }

                @Override
                public void onComplete() {
                    outside(inner::onComplete);
                }

                @Override
                public void onReady() {
                    outside(inner::onReady);
                }
            };
        }
    }

    /** Sees it inside, where a call begins. Services learn from it what is expected. */
    private static final class Inside implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            boolean isTraced = headers.containsKey(
                    Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER));
            String expected = expected(call.getMethodDescriptor(), isTraced);
            work(expected);
            return Contexts.interceptCall(
                    Context.current().withValue(EXPECTED, expected), call, headers, next);
        }
    }

    private static String expected(MethodDescriptor<?, ?> method, boolean isTraced) {
        return "rpc_service=shop.Orders,rpc_method=" + method.getBareMethodName()
                + (isTraced ? ",trace_id=" + TRACE : "");
    }

    private ServerServiceDefinition orders() {
        return ServerServiceDefinition.builder("shop.Orders")
                .addMethod(ONE, ServerCalls.asyncUnaryCall((request, answers) -> {
                    workInside(request, () -> {});
                    answers.onNext(request);
                    answers.onCompleted();
                }))
                .addMethod(MANY, ServerCalls.asyncBidiStreamingCall(GrpcCalls::answerMany))
                .addMethod(FAIL, ServerCalls.asyncUnaryCall((request, answers) -> {
                    work(request);
                    throw Status.INVALID_ARGUMENT.asRuntimeException();
                }))
                .addMethod(CANCEL, ServerCalls.asyncServerStreamingCall((request, answers) -> {
                    work(request);
                    ((ServerCallStreamObserver<String>) answers).setOnCancelHandler(() -> {
                        work(request);
                        cancelled.countDown();
                    });
                    answers.onNext("begun");
                }))
                .build();
    }

    private static StreamObserver<String> answerMany(StreamObserver<String> answers) {
        String expected = EXPECTED.get();
        work(expected);
        ((ServerCallStreamObserver<String>) answers).setOnReadyHandler(() -> work(expected));
        return new StreamObserver<String>() {
            private String last = "";

            @Override
            public void onNext(String request) {
                work(request);
                last = request;
                answers.onNext(request);
            }

            @Override
            public void onError(Throwable problem) {}

            @Override
            public void onCompleted() {
                work(last);
                answers.onCompleted();
            }
        };
    }

    // A client and a server on one thread, which works for somebody: the call is the client's.
    private void serveInside() throws Exception {
        Server server =
                outfit(InProcessServerBuilder.forName("orders").directExecutor()).build().start();
        ManagedChannel channel = InProcessChannelBuilder.forName("orders").directExecutor().build();
        Adapters.whileBusy(()
                                   -> ClientCalls.blockingUnaryCall(channel, ONE,
                                           CallOptions.DEFAULT, expected(ONE, false)));
        channel.shutdown().awaitTermination(LIMIT_S, TimeUnit.SECONDS);
        server.shutdown().awaitTermination(LIMIT_S, TimeUnit.SECONDS);
    }

    @Override
    public void run() throws Exception {
        serveInside();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        serve(loopback().executor(pool));
        serve(loopback().directExecutor());
        if (VirtualThreads.areThere()) {
            ThreadFactory threads = VirtualThreads.factory();
            serve(loopback().executor(task -> threads.newThread(task).start()));
        }
        if (!cancelled.await(LIMIT_S, TimeUnit.SECONDS)) {
            throw new IllegalStateException("calls are not cancelled");
        }
        pool.shutdown();
    }

    private static NettyServerBuilder loopback() {
        return NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0));
    }

    private <T extends ServerBuilder<T>> T outfit(T builder) {
        return builder.addService(orders())
                .intercept(new Inside())
                .intercept(new LoupeServerInterceptor());
    }

    private void serve(NettyServerBuilder builder) throws Exception {
        Server server = outfit(builder).intercept(new Outside()).build().start();
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                                         .usePlaintext()
                                         .build();
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < CLIENTS * ROUNDS; i++) {
            boolean isTraced = i % 2 == 0;
            all.add(clients.submit(() -> callAll(channel, isTraced)));
        }
        for (Future<?> one : all) {
            one.get(LIMIT_S, TimeUnit.SECONDS);
        }
        clients.shutdown();
        channel.shutdown().awaitTermination(LIMIT_S, TimeUnit.SECONDS);
        server.shutdown().awaitTermination(LIMIT_S, TimeUnit.SECONDS);
    }

    private static Object callAll(ManagedChannel channel, boolean isTraced) throws Exception {
        Metadata headers = new Metadata();
        if (isTraced) {
            headers.put(Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER), PARENT);
        }
        Channel traced = ClientInterceptors.intercept(
                channel, MetadataUtils.newAttachHeadersInterceptor(headers));
        ClientCalls.blockingUnaryCall(traced, ONE, CallOptions.DEFAULT, expected(ONE, isTraced));
        try {
            ClientCalls.blockingUnaryCall(
                    traced, FAIL, CallOptions.DEFAULT, expected(FAIL, isTraced));
        } catch (StatusRuntimeException e) { // as it should
        }
        CountDownLatch done = new CountDownLatch(1);
        StreamObserver<String> requests = ClientCalls.asyncBidiStreamingCall(
                traced.newCall(MANY, CallOptions.DEFAULT), observer(done::countDown, () -> {}));
        for (int i = 0; i < MESSAGES; i++) {
            requests.onNext(expected(MANY, isTraced));
        }
        requests.onCompleted();
        await(done);
        CountDownLatch begun = new CountDownLatch(1);
        ClientCall<String, String> call = traced.newCall(CANCEL, CallOptions.DEFAULT);
        ClientCalls.asyncServerStreamingCall(
                call, expected(CANCEL, isTraced), observer(() -> {}, begun::countDown));
        await(begun);
        call.cancel("on purpose", null);
        return null;
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(LIMIT_S, TimeUnit.SECONDS)) {
            throw new IllegalStateException("a call has no answer");
        }
    }

    private static StreamObserver<String> observer(Runnable atEnd, Runnable atAnswer) {
        return new StreamObserver<String>() {
            @Override
            public void onNext(String answer) {
                atAnswer.run();
            }

            @Override
            public void onError(Throwable problem) {
                atEnd.run();
            }

            @Override
            public void onCompleted() {
                atEnd.run();
            }
        };
    }
}
